/**
 * A name as a path segment, for people to read. Browsers resolve segments of one or two dots, and an empty segment
 * would shift those after it.
 */
export const nameInPath = (name: string): string => (/^\.{0,2}$/.test(name) ? '-' : name)
