import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { placeOf } from '../factors/passkey-place.ts'
import {
  addPasskey,
  beginAuthenticator,
  beginPasskey,
  confirmAuthenticator,
  getOwnFactors,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from './own-factors.ts'

export const ownFactorsRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>,
): Route[] => [
  route(factorsEndpoints.ownFactors, ({ viewer }) => getOwnFactors(services, viewer)),

  route(factorsEndpoints.beginAuthenticator, ({ viewer }) => beginAuthenticator(services, viewer)),

  route(factorsEndpoints.confirmAuthenticator, async ({ viewer, body }) => ({
    recoveryCodes: await confirmAuthenticator(services, viewer, body.code),
  })),

  route(factorsEndpoints.removeAuthenticator, ({ viewer, body: given, host }) =>
    removeAuthenticator(services, viewer, { given, place: placeOf(services.config, host) }),
  ),

  route(factorsEndpoints.beginPasskey, ({ viewer, host }) =>
    beginPasskey(services, viewer, placeOf(services.config, host)),
  ),

  route(factorsEndpoints.addPasskey, async ({ viewer, body, host }) => ({
    recoveryCodes: await addPasskey(services, viewer, {
      ...body,
      place: placeOf(services.config, host),
    }),
  })),

  route(factorsEndpoints.removePasskey, ({ viewer, params: { id }, body: given, host }) =>
    removePasskey(services, viewer, id, { given, place: placeOf(services.config, host) }),
  ),

  route(factorsEndpoints.renewRecoveryCodes, async ({ viewer }) => ({
    recoveryCodes: await renewRecoveryCodes(services, viewer),
  })),
]
