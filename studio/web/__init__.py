"""The web app's server side: each file serves one thing that the page shows."""
