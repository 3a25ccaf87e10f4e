import { partnerPostbacksEndpoints } from '@tallyroom/contract/desk/partner-postbacks'
import { webhooksEndpoints } from '@tallyroom/contract/desk/webhooks'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const { partnerPostbacks, previewPartnerPostback, partnerPostbackLog } = partnerPostbacksEndpoints

export const partnerPostbacksQuery = queryOf(partnerPostbacks, {}, { meta: { ownErrors: true } })

export const previewQuery = (url: string) =>
  queryOf(
    previewPartnerPostback,
    { body: { url } },
    { keepPrevious: true, meta: { ownErrors: true } },
  )

export const deliveriesQuery = (id: string, page: number) =>
  queryOf(
    partnerPostbackLog,
    { params: { id }, query: { page: String(page) } },
    { keepPrevious: true, meta: { ownErrors: true } },
  )

export const webhooksQuery = queryOf(webhooksEndpoints.webhooks, {}, { meta: { ownErrors: true } })

export const webhookLogQuery = (id: string, page: number) =>
  queryOf(
    webhooksEndpoints.webhookLog,
    { params: { id }, query: { page: String(page) } },
    { keepPrevious: true, meta: { ownErrors: true } },
  )

export const refreshWebhooks = refreshOf(webhooksEndpoints.webhooks, webhooksEndpoints.webhookLog)

export const refreshPostbacks = refreshOf(partnerPostbacks, partnerPostbackLog)
