"""Does the passage say what the sentence says?"""
