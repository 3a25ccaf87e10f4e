import { type AllowedTargets, parseAllowedTargets } from '../src/lib/net/public-address.ts'

/** What an operator allows whose own programs listen at these ports of loopback addresses. */
export function loopbackAt(...ports: readonly number[]): AllowedTargets {
  const allowed = parseAllowedTargets(ports.map((port) => `127.0.0.0/8:${port}`).join(','))
  if (!allowed) throw new Error('not ports')
  return allowed
}
