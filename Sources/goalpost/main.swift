print("goalpost")
