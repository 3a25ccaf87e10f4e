// One file of code: two small ones would come later, and split what other pages share.
export { WebhookPage } from './WebhookPage.tsx'
export { WebhooksPage } from './WebhooksPage.tsx'
export { PartnerPostbackPage } from './PartnerPostbackPage.tsx'
export { PartnerPostbacksPage } from './PartnerPostbacksPage.tsx'
