class Plan: pass
