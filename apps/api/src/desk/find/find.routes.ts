import { findEndpoints } from '@tallyroom/contract/desk/find'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import type { ClickLogServices } from '../click-logs/search-click-logs.ts'
import { makeClickIds } from '../../tracking/index.ts'
import { find } from './find.ts'
import { findOtherLogs } from './other-logs.ts'

export const findRoutes = ({
  secret,
  formerSecrets,
  ...others
}: Omit<ClickLogServices, 'clickIds'> & Pick<Services, 'secret' | 'formerSecrets'>): Route[] => {
  const services = { ...others, clickIds: makeClickIds(secret, formerSecrets) }
  return [
    route(findEndpoints.find, ({ viewer, body }) => find(services, viewer, body.text)),
    route(findEndpoints.otherLogs, ({ viewer, body }) => findOtherLogs(services, viewer, body)),
  ]
}
