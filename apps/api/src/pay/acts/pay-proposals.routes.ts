import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { type Route, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { approveProposal, refuseProposal, withdrawProposal } from './decide.ts'
import { listDecided, listWaiting } from './present-proposals.ts'

export const payProposalsRoutes = (
  services: Pick<Services, 'config' | 'db' | 'secret' | 'formerSecrets'>,
): Route[] => [
  route(payProposalsEndpoints.payProposals, ({ viewer }) => listWaiting(services, viewer)),

  route(payProposalsEndpoints.decidedPayProposals, ({ query }) => listDecided(services.db, query)),

  route(payProposalsEndpoints.approvePayProposal, ({ viewer, params: { id } }) =>
    approveProposal(services, viewer, id),
  ),

  route(payProposalsEndpoints.refusePayProposal, ({ viewer, params: { id }, body }) =>
    refuseProposal(services, viewer, id, body.reason),
  ),

  route(payProposalsEndpoints.withdrawPayProposal, ({ viewer, params: { id }, body }) =>
    withdrawProposal(services, viewer, id, body.reason),
  ),
]
