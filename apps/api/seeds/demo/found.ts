/** PostgreSQL returns inserted rows in the order of their values. */
export function at<T>(items: readonly T[], index: number): T {
  return found(items[index])
}

/** @throws when the tables of the demo world do not fit together. */
export function found<T>(item: T | undefined): T {
  if (item === undefined)
    throw new RangeError('The demo world names something that it does not have')
  return item
}
