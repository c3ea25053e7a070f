"""What was found: sentences and rows with what they tell, ranked and held against what is asked."""
