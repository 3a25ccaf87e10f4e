/** How big the world is. Clicks and sales come out within a few per cent. */
export type Scale = {
  offices: number
  agents: number
  sites: number
  /** Link types of each site. */
  typesPerSite: number
  /** Today and the days before it. */
  days: number
  clicks: number
  sales: number
  /** The last days for which it is remembered who was seen. */
  seenDays: number
}

/** What the targets of performance were measured on. */
export const fullScale: Scale = {
  offices: 200,
  agents: 5_000,
  sites: 50,
  typesPerSite: 4,
  days: 400,
  clicks: 20_000_000,
  sales: 400_000,
  seenDays: 35,
}

/** Each day an agent sends visitors through this many of its link types. */
export const typesPerDay = 2

/** How many link types an agent sells, of those that its office sells. */
export const typesPerAgent = 4
export const typesPerOffice = 20

/** @throws a RangeError for a world whose agents could not sell {@link typesPerAgent} different link types. */
export function checkScale(scale: Scale): void {
  const types = scale.sites * scale.typesPerSite
  if (types < typesPerAgent) throw new RangeError(`A big world needs ${typesPerAgent} link types`)
  if (scale.agents < scale.offices) throw new RangeError('Each office needs an agent')
}
