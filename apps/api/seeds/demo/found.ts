/** PostgreSQL returns inserted rows in the order of their values. */
export function at<T>(items: readonly T[], index: number): T {
  return found(items[index])
}

/** @throws if the tables of the demo world are inconsistent. */
export function found<T>(item: T | undefined): T {
  if (item === undefined)
    throw new RangeError('The demo world refers to something that it does not contain')
  return item
}
