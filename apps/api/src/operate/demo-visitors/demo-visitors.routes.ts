import { demoVisitorsEndpoints } from '@tallyroom/contract/operate/demo-visitors'
import { route, type Route } from '../../http/route.ts'
import type { DemoVisitors } from './demo-visitors.ts'

export const demoVisitorsRoutes = (visitors: DemoVisitors): Route[] => [
  route(demoVisitorsEndpoints.demoVisitors, () => visitors.state()),
  route(demoVisitorsEndpoints.setDemoVisitors, async ({ body: { on } }) => {
    if (on) await visitors.letIn()
    else visitors.stop()
    return visitors.state()
  }),
]
