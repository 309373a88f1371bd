"""What a run needs to ask a judge: metric contexts, the prompt scheduler, budgets, token estimates."""
