import { payProposalsEndpoints } from '@tallyroom/contract/pay/proposals'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { approveProposal, refuseProposal, withdrawProposal } from './decide.ts'
import { listDecided, listWaiting } from './present-proposals.ts'

const done = { ok: true } as const

export const payProposalsRoutes = (
  services: Pick<Services, 'config' | 'db' | 'clock' | 'secret'>,
): Route[] => [
  route(payProposalsEndpoints.payProposals, ({ viewer }) => listWaiting(services, viewer)),

  route(payProposalsEndpoints.decidedPayProposals, ({ query }) => listDecided(services.db, query)),

  route(payProposalsEndpoints.approvePayProposal, async ({ viewer, params: { id } }) => {
    await approveProposal(services, viewer, id)
    return done
  }),

  route(payProposalsEndpoints.refusePayProposal, async ({ viewer, params: { id }, body }) => {
    await refuseProposal(services, viewer, id, body.reason)
    return done
  }),

  route(payProposalsEndpoints.withdrawPayProposal, async ({ viewer, params: { id }, body }) => {
    await withdrawProposal(services, viewer, id, body.reason)
    return done
  }),
]
