"""The cloud: its clients, the resources that serverless.yml includes, and what builds the artifact."""
