"""What settles a question: a yes or no, the version that holds, who holds an office, which sentence leads."""
