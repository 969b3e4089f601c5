"""What bots have to say to people: hints, and reviews of finished games."""
