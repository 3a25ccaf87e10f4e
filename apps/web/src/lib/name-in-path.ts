/**
 * A name for the part of a path that only people read. Browsers resolve a part of one or two dots, and
 * an empty one would shift the parts after it.
 */
export const nameInPath = (name: string): string => (/^\.{0,2}$/.test(name) ? '-' : name)
