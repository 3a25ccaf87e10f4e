export {
  type StoredSchedule,
  findSchedulesOf,
  stepsOf,
} from './avp-schedules/avp-schedules.queries.ts'
export { avpScheduleRoutes } from './avp-schedules/avp-schedules.routes.ts'
export { findScheduleForms } from './avp-schedules/save-schedule.ts'
export { type FoundCoupon, couponsOfCodes, freeCodes } from './coupons/coupons.queries.ts'
export { couponsRoutes } from './coupons/coupons.routes.ts'
export { linkTypesRoutes } from './link-types/link-types.routes.ts'
export { findLinkTypeForms } from './link-types/save-link-type.ts'
export { agentOf, chooseHost, getSeller, ownSightOf } from './links/generate-links.ts'
export { findUsedLinks } from './links/links.queries.ts'
export { linksRoutes } from './links/links.routes.ts'
export { findShortLinksById, findSiteOfType } from './links/short-links.queries.ts'
export { findManualsById } from './manuals/site-manuals.queries.ts'
export { siteManualsRoutes } from './manuals/site-manuals.routes.ts'
export {
  arePayoutsShown,
  type VisibleAmounts,
  findOptions,
  findVisibleAmounts,
} from './options/options.queries.ts'
export { optionsRoutes } from './options/options.routes.ts'
export { insertWithdrawal, preparedRates } from './rates/dated-rates.queries.ts'
export { presentOrigin } from './rates/dated-rates.ts'
export { type FeeColumns, addRate, findOwnRateOffices } from './rates/office-fees.queries.ts'
export { officeFeesRoutes } from './rates/office-fees.routes.ts'
export {
  type Price,
  type Rates,
  defaultRateId,
  ownRateId,
  payingRateId,
  ratesFor,
  ratesOf,
} from './rates/rates.queries.ts'
export {
  type FormerFlag,
  approveSaleThen,
  findFormerApproveSale,
  findFormerBonus,
  flagAt,
  siteValueAt,
} from './sites/former-flags.queries.ts'
export { columnsOf } from './rates/save-office-fee.ts'
export { tellOfRate } from './rates/tell-of-rate.ts'
export { findChangedFields } from './sites/changed-fields.ts'
export { decideWord, findEverDecided } from './sites/decide-word.ts'
export {
  findSiteForms,
  readEventWords,
  readStatusWords,
  readWordReadings,
} from './sites/save-site.ts'
export { lockSite } from './sites/site-form.queries.ts'
export { findSiteChoices, isSiteInScope } from './sites/sites.queries.ts'
export { sitesRoutes } from './sites/sites.routes.ts'
export { uploadsRoutes } from './uploads/uploads.routes.ts'
