// By a name of its own: a chunk for it and what it brings along.
export { Select as SelectNow } from '@mantine/core'
