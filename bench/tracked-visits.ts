import { DEFAULT_CLICK_PARAM, trackedLinkPath } from '@tallyroom/domain/tracked-link'

/** Typical browser headers. */
export const BROWSER =
  'user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36\r\n' +
  'accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\naccept-language: en-US,en;q=0.9\r\naccept-encoding: gzip, deflate, br'

/** The size of the world whose links are followed. */
export type Links = { agents: number; sites: number; typesPerSite: number }

/** A link of a random agent, who sells two of the sites. */
export function randomLink({ agents, sites, typesPerSite }: Links) {
  const agent = random(agents)
  const site = 1 + ((agent * 13 + random(2)) % sites)
  return { agent, site, type: (site - 1) * typesPerSite + random(typesPerSite) }
}

export const linkOf = (link: ReturnType<typeof randomLink>): string =>
  trackedLinkPath({ siteId: link.site, typeId: link.type, agentId: link.agent })

export const visitorIp = (): string => `${random(223)}.${random(255)}.${random(255)}.${random(255)}`

/** The click id in the URL that a visitor is redirected to; undefined without one. */
export function clickIdIn(answer: string): string | undefined {
  const at = answer.indexOf(CLICK_ID) + CLICK_ID.length
  return at >= CLICK_ID.length ? answer.slice(at, at + ID_LENGTH) : undefined
}

const CLICK_ID = `${DEFAULT_CLICK_PARAM}=`
const ID_LENGTH = 32

function random(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}
