"""What is worked out: figures that follow from those that passages and tables lay side by side."""
