// By a name of its own: a chunk for it and what it brings along.
export { MultiSelect as ManySelectNow } from '@mantine/core'
