"""Reading words: segmentation, numbers, periods, and comparison with offsets into the original."""
