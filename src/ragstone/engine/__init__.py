"""Components with which a run asks a judge: metric contexts, the prompt scheduler, budgets, token estimates."""
