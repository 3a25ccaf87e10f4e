import { canonicalIp } from '../../lib/net/ip-address.ts'
import type { Services } from '../../services.ts'

/** Where passkeys are made and used. One works on the host name that it was made on, and nowhere else. */
export type Place = {
  /** The host name; empty for an IP address, which browsers make no passkeys for. */
  rpId: string
  /** What the browser's address bar may have, without a path. */
  origin: string
}

/**
 * @param host of the back office, as the browser asked for it: the front door lets no other through.
 */
export function placeOf({ publicUrl }: Pick<Services['config'], 'publicUrl'>, host: string): Place {
  const asked = URL.parse(`https://${host}`)
  const name = asked?.hostname.replace(/\.$/, '') ?? ''
  if (!asked || name.startsWith('[') || canonicalIp(name) !== undefined)
    return { rpId: '', origin: '' }
  const office = new URL(publicUrl)
  if (office.hostname === name) return { rpId: name, origin: office.origin }
  // Browsers have no passkeys on other names without encryption.
  const scheme = name === 'localhost' ? 'http' : 'https'
  return { rpId: name, origin: `${scheme}://${asked.host}` }
}
