"""What one runs and looks at: samples, demonstrations, examples, the web app."""
