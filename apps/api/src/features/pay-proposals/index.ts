export { countProposalsToApprove } from './present-proposals.ts'
export { approveProposal } from './decide.ts'
export { whyNotApprovedProposal } from './proposal-approvers.ts'
export { payProposalsRoutes } from './pay-proposals.routes.ts'
