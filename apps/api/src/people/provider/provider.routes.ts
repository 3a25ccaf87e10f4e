import { providerEndpoints } from '@tallyroom/contract/people/provider'
import { conflict } from '../../errors.ts'
import { publicRoute, type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { knownDevices, welcome } from '../auth/known-device.ts'
import { placeOf } from '../factors/passkey-place.ts'
import { browserOf } from '../sessions/session-cookie.ts'
import { isProviderOnly } from '../sign-in-rules/sign-in-rules.queries.ts'
import { getOwnProvider, removeOwnProvider, requireProvider } from './own-provider.ts'
import { makeProvider, type Provider } from './provider.ts'
import { beginAtProvider, signInByProvider } from './sign-in-by-provider.ts'

export function providerRoutes(services: Services): Route[] {
  const { config, db } = services
  const provider = makeProvider(services)

  /** @throws CONFLICT if none is configured */
  function configured(): Provider {
    if (!provider) throw conflict('No sign-in provider is configured.')
    return provider
  }

  return [
    publicRoute(providerEndpoints.provider, async () => ({ name: provider?.name ?? null })),

    publicRoute(providerEndpoints.beginProvider, async ({ cookies, host, log, sendHeader }) => {
      const from = { cookies, host }
      const { url, cookie } = await beginAtProvider({ ...services, log }, configured(), from)
      sendHeader('set-cookie', cookie)
      return { url }
    }),

    publicRoute(providerEndpoints.signInByProvider, async (input) => {
      const { body, cookies, host, ip, userAgent, identify, log } = input
      const signedIn = await signInByProvider({ ...services, log }, configured(), {
        ...body,
        cookies,
        place: placeOf(config, host),
        devices: knownDevices(services, cookies),
        browser: browserOf(config, input),
        ip,
        userAgent,
        identify,
      })
      if ('step' in signedIn) return { step: signedIn.step, ways: signedIn.ways }
      return welcome(services, input, signedIn)
    }),

    route(providerEndpoints.ownProvider, ({ viewer }) => getOwnProvider(services, viewer)),

    route(providerEndpoints.removeProvider, ({ viewer }) => removeOwnProvider(services, viewer)),

    route(providerEndpoints.staffProvider, async () => ({
      name: provider?.name ?? null,
      only: await isProviderOnly(db),
    })),

    route(providerEndpoints.requireProvider, ({ viewer, body: { only } }) =>
      requireProvider(services, viewer, only),
    ),
  ]
}
