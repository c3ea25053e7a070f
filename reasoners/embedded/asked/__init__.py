"""What is asked: a question read for what it wants, in which words, of whom and of when."""
