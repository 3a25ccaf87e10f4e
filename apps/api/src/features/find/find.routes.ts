import { findEndpoints } from '@tallyroom/contract/find'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { makeClickIds } from '../clicks/index.ts'
import { find } from './find.ts'

export const findRoutes = ({
  db,
  secret,
  formerSecrets,
}: Pick<Services, 'db' | 'secret' | 'formerSecrets'>): Route[] => {
  const services = { db, clickIds: makeClickIds(secret, formerSecrets) }
  return [route(findEndpoints.find, ({ viewer, body }) => find(services, viewer, body.text))]
}
