"""The whole iteration, stage by stage; the only room that knows all of them."""
