/** The size of the world. Clicks and sales come out within a few percent. */
export type Scale = {
  offices: number
  agents: number
  sites: number
  /** Link types per site. */
  typesPerSite: number
  /** Number of days, including today. */
  days: number
  clicks: number
  sales: number
  /** The number of last days whose visitors are stored. */
  seenDays: number
}

/** The scale of the performance goals. */
export const fullScale: Scale = {
  offices: 200,
  agents: 5_000,
  sites: 50,
  typesPerSite: 4,
  days: 400,
  clicks: 20_000_000,
  sales: 400_000,
  seenDays: 3,
}

/** Each day an agent sends visitors through this many of their link types. */
export const typesPerDay = 2

/** The number of link types that an agent sells, out of the office's. */
export const typesPerAgent = 4
export const typesPerOffice = 20

/** @throws RangeError if agents could not sell {@link typesPerAgent} different link types. */
export function checkScale(scale: Scale): void {
  const types = scale.sites * scale.typesPerSite
  if (types < typesPerAgent) throw new RangeError(`A big world needs ${typesPerAgent} link types`)
  if (scale.agents < scale.offices) throw new RangeError('Each office needs an agent')
}
