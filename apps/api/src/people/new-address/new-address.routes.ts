import { addressesEndpoints } from '@tallyroom/contract/people/addresses'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { confirmAddress, sendAddressLink } from './new-address.ts'

export const newAddressRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret'>,
): Route[] => [
  route(addressesEndpoints.confirmAddress, ({ viewer, body }) =>
    confirmAddress(services, viewer, body.token),
  ),

  route(addressesEndpoints.sendAddressLink, ({ viewer }) => sendAddressLink(services, viewer)),
]
