/** What a token for programs can be allowed, with the label of each. Each endpoint says to which one it belongs. */
export const tokenGroups = {
  figures: 'Read figures',
  logs: 'Read logs',
  statements: 'Read statements',
  links: 'Make short links',
  people: 'Manage people',
  sites: 'Manage sites',
  postbacks: 'Report sales for sites',
} as const satisfies Record<string, string>

export type TokenGroup = keyof typeof tokenGroups

export const TOKEN_GROUPS = Object.keys(tokenGroups) as [TokenGroup, ...TokenGroup[]] // Object.keys forgets the key type

/** With what every token begins, so that scanners for secrets know one. */
export const TOKEN_PREFIX = 'tly_'
