import type { ObjectKind, ObjectRef } from '@tallyroom/contract/desk/common-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type ChangingEndpoint, endpoints } from '@tallyroom/contract/endpoints'
import { holdActOf, type HoldAct, WORD_READINGS, type WordReading } from '@tallyroom/domain/holds'
import { inSentence } from '@tallyroom/domain/invisible'
import type { WatchedCall } from '../../http/record-call.ts'
import {
  inAnswer,
  inBody,
  inPath,
  own,
  payeeInBody,
  payeeInPath,
  ratesIn,
  ratesOfAnswer,
  ratesOfBody,
  valuesIn,
} from './call-objects.ts'
import {
  added,
  andText,
  becameOf,
  changed,
  deleted,
  did,
  namesOf,
  orProposed,
  type Says,
  type Told,
  setState,
  valueOf,
  withReason,
  withText,
} from './sentences.ts'
import type { Changes } from './entry.ts'

/** A call that changes something. */
type ChangingCall = {
  /** What it does, in refusals, after 'Tried to': `update an agent`. */
  to: string
  /** What it did. */
  says: Says
  /** The objects whose values are compared before and after it. */
  objects?: (call: WatchedCall) => readonly ObjectRef[]
}

/** The changing call of an endpoint; undefined if it only reads. */
export const changingCallOf = (endpoint: Endpoint): ChangingCall | undefined =>
  byAction.get(nameOf(endpoint))

/** An entry of the common logs in words. */
export function sentenceOf(
  entry: { actionName: string; responseCode: number; postParams: string; getParams: string },
  changes: Changes | undefined,
): string {
  const call = byAction.get(entry.actionName)
  if (!call) return summaries.get(entry.actionName) ?? entry.actionName
  if (entry.responseCode !== 200) return `Tried to ${call.to}, but was refused`
  return call.says({
    changes,
    post: JSON.parse(entry.postParams),
    get: JSON.parse(entry.getParams),
  })
}

const saysFailed = (post: unknown) =>
  valuesIn(post, 'lines').some((one) => valuesIn(one, 'paid').includes(false))

/** What was chosen of a queue: `all mails`, `a delivery`. */
function queued(post: unknown): string {
  const isOne = valuesIn(post, 'id').length > 0
  const isMail = valuesIn(post, 'queue').includes('mails')
  return isOne ? `a ${isMail ? 'mail' : 'delivery'}` : `all ${isMail ? 'mails' : 'deliveries'}`
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** `Prepared a change of Lantern Live · Credits Pack from 2026-12-01`. */
const withFrom =
  (verb: string): Says =>
  (told) =>
    `${did(verb, 'rates')(told)} from ${String(valuesIn(told.post, 'validFrom')[0])}`

/** `Backdated the payout of Lantern Live · Free Sign-up from ₱40.00 to ₱45.00 since 2026-11-16: as agreed`. */
const backdated: Says = (told) => {
  const [object, ...others] = told.changes?.of ?? []
  const what =
    object && others.length === 0 && object.fields.length > 0
      ? changed('rates')(told).replace(/^Changed/, 'Backdated')
      : did('Backdated', 'rates')(told)
  return andText(`${what} since ${String(valuesIn(told.post, 'from')[0])}`, 'reason')(told)
}

/** What was decided about held postbacks. */
const settled: Record<HoldAct, (postbacks: string) => string> = {
  record: (postbacks) => `Recorded ${postbacks}`,
  'count-again': (postbacks) => `Counted the sale of ${postbacks} again`,
  'another-product': (postbacks) => `Counted ${postbacks} as another product of the order`,
  'another-order': (postbacks) => `Counted ${postbacks} as another order`,
  'keep-first': (postbacks) => `Kept the first sale, and refused ${postbacks}`,
  'take-this': (postbacks) => `Took ${postbacks}, and took back the first sale of the order`,
  'both-count': (postbacks) => `Counted ${postbacks} as a sale of its own beside the first`,
  reverse: (postbacks) => `Took back the sale of ${postbacks}`,
  'in-proportion': (postbacks) => `Took back a part of the sale of ${postbacks}`,
  'was-retry': (postbacks) => `Marked ${postbacks} as a retry`,
  mistake: (postbacks) => `Marked ${postbacks} as a mistake`,
  refuse: (postbacks) => `Refused ${postbacks}`,
  'word-takes-back': (postbacks) => `Took back what the word of ${postbacks} takes back`,
  'word-nothing': (postbacks) => `Read ${postbacks} without the new word`,
  'word-ignored': (postbacks) => `Ignored ${postbacks} for the new word`,
  'word-counts': (postbacks) => `Counted ${postbacks} by the new word`,
}

const wordMeans: Record<WordReading, string> = {
  'takes-back': 'takes back',
  nothing: 'means nothing',
  ignored: 'does not count',
  counts: 'counts',
}

/** `Quieted the alarms of Lantern Live until 2026-12-03`. */
const quieted =
  (what: (told: Told) => string): Says =>
  (told) => {
    const [until] = valuesIn(told.post, 'until')
    return typeof until === 'string'
      ? `Quieted ${what(told)} until ${until}`
      : `Ended the quiet of ${what(told)}`
  }

const create = (kind: ObjectKind, what: string): ChangingCall => ({
  to: `add ${what}`,
  says: added(what),
  objects: inAnswer(kind),
})
const update = (kind: ObjectKind, what: string): ChangingCall => ({
  to: `update ${what}`,
  says: changed(what),
  objects: inPath(kind),
})
const remove = (kind: ObjectKind, what: string): ChangingCall => ({
  to: `delete ${what}`,
  says: deleted(what),
  objects: inPath(kind),
})
const status = (kind: ObjectKind, what: string): ChangingCall => ({
  to: `change the state of ${what}`,
  says: setState(what),
  objects: inBody(kind),
})

const endedSessions = (kind: ObjectKind, what: string): ChangingCall => ({
  to: `end all sessions of ${what}`,
  says: did('Ended all sessions of', what),
  objects: inPath(kind),
})

const invitation = (
  kind: 'agent' | 'office' | 'admin',
  to: string,
  verb: string,
): ChangingCall => ({
  to,
  says: did(verb, `an ${kind}`),
  objects: inPath(kind),
})

const paySettings = (to: string): ChangingCall => ({
  to,
  // Without PAY, nobody learns which ones.
  says: (told) =>
    told.changes?.of[0]?.fields.length
      ? changed('the pay settings')(told)
      : 'Changed the pay settings',
  objects: () => ['paySettings:0'],
})

/** Every changing endpoint. One that is missing here does not compile. */
const changingCalls = {
  createAgent: create('agent', 'an agent'),
  updateAgent: update('agent', 'an agent'),
  agentsStatus: status('agent', 'agents'),
  endAgentSessions: endedSessions('agent', 'an agent'),
  deleteAgent: remove('agent', 'an agent'),
  inviteAgent: invitation('agent', 'mail an invitation', 'Mailed an invitation to'),
  makeAgentInvitationLink: invitation(
    'agent',
    'make the link of an invitation',
    'Made the link of an invitation for',
  ),
  withdrawAgentInvitation: invitation(
    'agent',
    'withdraw an invitation',
    'Withdrew the invitation of',
  ),
  endOfficeSessions: endedSessions('office', 'an office'),
  inviteOffice: invitation('office', 'mail an invitation', 'Mailed an invitation to'),
  makeOfficeInvitationLink: invitation(
    'office',
    'make the link of an invitation',
    'Made the link of an invitation for',
  ),
  withdrawOfficeInvitation: invitation(
    'office',
    'withdraw an invitation',
    'Withdrew the invitation of',
  ),
  importOffices: {
    to: 'import offices from a file',
    says: did('Imported', 'offices'),
    objects: inAnswer('office', 'ids'),
  },
  importAgents: {
    to: 'import agents from a file',
    says: did('Imported', 'agents'),
    objects: inAnswer('agent', 'ids'),
  },
  acceptInvitation: {
    to: 'choose a first password',
    says: () => 'Chose their first password, as invited',
  },
  approve: {
    // The ids are those of accounts.
    to: 'approve new agents',
    says: ({ post }) => {
      const count = valuesIn(post, 'ids').length
      return count === 1 ? 'Approved a new agent' : `Approved ${count} new agents`
    },
  },
  createOffice: create('office', 'an office'),
  updateOffice: update('office', 'an office'),
  officesStatus: {
    ...status('office', 'offices'),
    says: (told) => `${setState('offices')(told)}, with all its agents`,
  },
  createSite: create('site', 'a site'),
  updateSite: update('site', 'a site'),
  sitesStatus: status('site', 'sites'),
  enableSiteForAllOffices: {
    to: 'allow all offices to sell a site',
    says: did('Allowed all offices to sell', 'a site'),
    objects: inPath('site'),
  },
  deleteSite: remove('site', 'a site'),
  createLinkType: create('linkType', 'a link type'),
  updateLinkType: update('linkType', 'a link type'),
  deleteLinkType: remove('linkType', 'a link type'),
  saveOfficeFee: {
    to: 'change an office’s own rates',
    says: changed('an office’s own rates'),
    objects: ratesOfBody,
  },
  prepareRate: {
    to: 'prepare a change of rates',
    says: withFrom('Prepared a change of'),
    objects: ratesOfBody,
  },
  prepareRates: {
    to: 'prepare changes of rates',
    says: withFrom('Prepared a change of'),
    objects: ({ body }) => valuesIn(body, 'rates').flatMap(ratesIn),
  },
  withdrawRate: {
    to: 'withdraw a prepared change of rates',
    says: did('Withdrew a prepared change of', 'rates'),
    objects: ratesOfAnswer,
  },
  backdateRate: {
    to: 'backdate rates',
    says: backdated,
    objects: ratesOfBody,
  },
  undoBackdating: {
    to: 'undo a backdating of rates',
    says: did('Undid a backdating of', 'rates'),
    objects: ratesOfAnswer,
  },
  rotatePostbackKey: {
    to: 'replace a site’s postback key',
    says: did('Replaced the postback key of', 'a site'),
    objects: inPath('site', 'siteId'),
  },
  testPostback: {
    to: 'test a site’s postbacks',
    says: did('Sent a test postback to', 'a site'),
    objects: inPath('site', 'siteId'),
  },
  deliverPostback: { to: 'deliver a postback again', says: () => 'Delivered a postback again' },
  askForDecision: {
    to: 'ask for a decision',
    says: () => 'Asked superadmins to decide about a held postback',
  },
  decideSiteWord: {
    to: 'decide what a site’s word means',
    says: (told) => {
      const { post } = told
      const [parameter = '', value = '', reading = ''] = ['parameter', 'value', 'reading'].map(
        (name) => valuesIn(post, name).find((one) => typeof one === 'string'),
      )
      const means = WORD_READINGS.find((one) => one === reading)
      return andText(
        `Decided that ${inSentence(`${parameter}=${value}`)} ${means ? wordMeans[means] : 'means something'}`,
        'reason',
      )(told)
    },
    objects: inPath('site', 'siteId'),
  },
  settleHeldPostbacks: {
    to: 'settle held postbacks',
    says: (told) => {
      const { post } = told
      const count = valuesIn(post, 'ids').length
      const act = holdActOf(valuesIn(post, 'act')[0])
      const postbacks = count === 1 ? 'a held postback' : `${count} held postbacks`
      return andText(act ? settled[act](postbacks) : `Settled ${postbacks}`, 'reason')(told)
    },
  },
  decideHeldPostback: {
    to: 'decide about a held postback',
    says: (told) => {
      const act = holdActOf(valuesIn(told.post, 'act')[0])
      const what = act ? `: ${act.replaceAll('-', ' ')}` : ''
      return andText(
        `Decided about a held postback, to be done after a minute${what}`,
        'reason',
      )(told)
    },
  },
  undoDecision: {
    to: 'undo a decision',
    says: () => 'Undid a decision about a held postback within its minute',
  },
  followUpHeldPostback: {
    to: 'put off or assign a held postback',
    says: ({ post }) => {
      const [day] = valuesIn(post, 'putOffUntil')
      if (typeof day === 'string') return `Put off a held postback until ${day}`
      return valuesIn(post, 'assignedTo').some((id) => id !== null)
        ? 'Said who is to decide about a held postback'
        : 'Took back who is to decide about a held postback, or until when it is put off'
    },
  },
  createAdmin: create('admin', 'an admin'),
  updateAdmin: update('admin', 'an admin'),
  adminsStatus: status('admin', 'admins'),
  endAdminSessions: endedSessions('admin', 'an admin'),
  inviteAdmin: invitation('admin', 'mail an invitation', 'Mailed an invitation to'),
  makeAdminInvitationLink: invitation(
    'admin',
    'make the link of an invitation',
    'Made the link of an invitation for',
  ),
  withdrawAdminInvitation: invitation(
    'admin',
    'withdraw an invitation',
    'Withdrew the invitation of',
  ),
  deleteAdmin: remove('admin', 'an admin'),
  createPreferredDomain: create('domain', 'a preferred domain'),
  updatePreferredDomain: update('domain', 'a preferred domain'),
  preferredDomainsStatus: status('domain', 'preferred domains'),
  createAvpSchedule: {
    to: 'add an AVP schedule',
    says: added('an AVP schedule'),
    objects: inBody('avpSchedule', 'validFrom'),
  },
  updateAvpSchedule: {
    ...update('avpSchedule', 'an AVP schedule'),
    // A schedule may move to another Monday.
    objects: (call) => [
      ...inPath('avpSchedule', 'validFrom')(call),
      ...inBody('avpSchedule', 'validFrom')(call),
    ],
  },
  deleteAvpSchedule: {
    ...remove('avpSchedule', 'an AVP schedule'),
    objects: inPath('avpSchedule', 'validFrom'),
  },
  createShortLink: {
    to: 'make a short link',
    says: did('Made', 'a short link'),
    objects: inAnswer('shortLink'),
  },
  renameShortLink: {
    to: 'rename a short link',
    says: changed('a short link'),
    objects: inPath('shortLink'),
  },
  createLinkTest: { to: 'test a link', says: () => 'Tested a link' },
  deleteShortLink: remove('shortLink', 'a short link'),
  createCoupon: {
    ...create('coupon', 'a coupon code'),
    says: (told) => {
      const isPassedOn = valuesIn(told.post, 'passOn').includes(true)
      return `${added('a coupon code')(told)}${isPassedOn ? ', even if it was a deleted agent’s' : ''}`
    },
  },
  makeCoupon: create('coupon', 'a coupon code'),
  endCoupon: {
    to: 'end a coupon code',
    says: did('Ended', 'a coupon code'),
    objects: inPath('coupon'),
  },
  endOwnCoupon: {
    to: 'end a coupon code',
    says: did('Ended', 'a coupon code'),
    objects: inPath('coupon'),
  },
  createSiteManual: create('siteManual', 'a site manual'),
  updateSiteManual: update('siteManual', 'a site manual'),
  deleteSiteManual: remove('siteManual', 'a site manual'),
  saveOptions: {
    to: 'change the system options',
    says: changed('the system options'),
    objects: () => ['options:0'],
  },
  publishNews: { to: 'publish news', says: () => 'Published news' },
  publishAlert: {
    to: 'change the alert',
    says: ({ post }) =>
      valuesIn(post, 'enable')[0] === false ? 'Took down the alert' : 'Published an alert',
  },
  uploadImage: { to: 'upload an image', says: () => 'Uploaded an image' },
  updateAdminProfile: { to: 'update their profile', says: changed('their profile'), objects: own },
  updateCompanyProfile: {
    to: 'update their profile',
    says: changed('their profile'),
    objects: own,
  },
  updateAgentProfile: { to: 'update their profile', says: changed('their profile'), objects: own },
  changePassword: {
    to: 'change their password',
    says: () => 'Changed their own password',
    objects: own,
  },
  resetPassword: {
    to: 'choose a new password by email',
    says: () => 'Chose a new password by email',
  },
  confirmAddress: {
    to: 'confirm their email address',
    says: () => 'Confirmed the email address of their account',
    objects: own,
  },
  sendAddressLink: {
    to: 'get the link to confirm their email address again',
    says: () => 'Had the link to confirm their email address sent again',
  },
  sendAgentAddressLink: {
    to: 'mail the link to confirm an agent’s email address again',
    says: did('Mailed the link to confirm the email address again to', 'an agent'),
    objects: inPath('agent'),
  },
  disownSignIn: {
    to: 'end all of their sessions by email',
    says: () => 'Said that a sign-in was not theirs, and ended all sessions',
  },
  endSession: { to: 'end one of their sessions', says: () => 'Ended one of their sessions' },
  endOtherSessions: { to: 'end their other sessions', says: () => 'Ended their other sessions' },
  beginAuthenticator: {
    to: 'begin to add an authenticator app',
    says: () => 'Began to add an authenticator app',
  },
  confirmAuthenticator: {
    to: 'add an authenticator app',
    says: () => 'Added an authenticator app to their account',
  },
  removeAuthenticator: {
    to: 'remove their authenticator app',
    says: () => 'Removed the authenticator app of their account',
  },
  beginPasskey: { to: 'begin to add a passkey', says: () => 'Began to add a passkey' },
  addPasskey: {
    to: 'add a passkey',
    says: withText('Added the passkey', 'name', 'a passkey'),
  },
  removePasskey: { to: 'remove a passkey', says: () => 'Removed a passkey of their account' },
  renewRecoveryCodes: {
    to: 'make new recovery codes',
    says: () => 'Made new recovery codes for their account',
  },
  removeProvider: {
    to: 'disconnect their account from the sign-in provider',
    says: () => 'Disconnected their account from the sign-in provider',
  },
  requireProvider: {
    to: 'change how staff sign in',
    says: ({ post }) =>
      valuesIn(post, 'only')[0] === true
        ? 'Let staff sign in only through the provider'
        : 'Let staff sign in by password again',
    objects: () => ['signInRules:0'],
  },
  createToken: {
    to: 'create an API token',
    says: withText('Created the API token', 'name', 'an API token'),
  },
  revokeToken: { to: 'revoke an API token', says: () => 'Revoked an API token' },
  migrate: { to: 'migrate old agents', says: () => 'Migrated the old agents' },
  submitChatLog: { to: 'submit a chat log', says: () => 'Submitted a chat log' },
  addBlackListIp: {
    to: 'black-list an address',
    says: withText('Black-listed', 'ip', 'an address'),
  },
  deleteBlackListIp: {
    to: 'take an address off the black list',
    says: () => 'Took an address off the black list',
  },
  deleteBlackListIpsByValue: {
    to: 'take addresses off the black list',
    says: ({ post }) => {
      const count = valuesIn(post, 'ips').length
      return `Took ${count === 1 ? 'an address' : `${count} addresses`} off the black list`
    },
  },

  enterPayeeAccount: {
    to: 'enter a payment account',
    says: () => 'Entered their payment account',
    objects: inAnswer('payeeAccount'),
  },
  disownAccount: {
    to: 'say that they did not enter a payment account',
    says: () => 'Said that they did not enter their payment account',
    objects: inPath('payeeAccount'),
  },
  decideAccount: {
    to: 'confirm or refuse a payee’s account',
    says: (told) =>
      did(
        valuesIn(told.post, 'confirm').includes(true) ? 'Confirmed' : 'Refused',
        'a payee’s account',
      )(told),
    objects: inPath('payeeAccount'),
  },
  createPayFileTemplate: {
    to: 'add a template of bank files',
    says: withText('Added the bank file template', 'name', 'a template'),
    objects: inAnswer('payFile'),
  },
  updatePayFileTemplate: {
    to: 'change a template of bank files',
    says: changed('a template of bank files'),
    objects: inPath('payFile'),
  },
  deletePayFileTemplate: {
    to: 'delete a template of bank files',
    says: did('Deleted the bank file template', 'of an id'),
    objects: inPath('payFile'),
  },
  preparePaymentRun: {
    to: 'prepare a payment run',
    says: did('Prepared', 'a payment run'),
    objects: inAnswer('paymentRun'),
  },
  removePaymentRunLine: {
    to: 'take a line out of a payment run',
    says: withReason('Took a line out of', 'a payment run'),
    objects: inPath('paymentRun'),
  },
  approvePaymentRun: {
    to: 'approve a payment run',
    // Approving cancels a run in which nothing can be paid any more.
    says: (told) =>
      becameOf(told, 'state') === 'cancelled'
        ? `${did('Cancelled', 'a payment run')(told)}: no line could be paid`
        : did('Approved', 'a payment run')(told),
    objects: inPath('paymentRun'),
  },
  cancelPaymentRun: {
    to: 'cancel a payment run',
    says: withReason('Cancelled', 'a payment run'),
    objects: inPath('paymentRun'),
  },
  takePaymentFile: {
    to: 'download a payment file',
    says: withText('Downloaded the payment file', 'name', 'a payment file'),
    objects: inPath('paymentRun'),
  },
  enterPaymentResults: {
    to: 'enter the results of a payment run',
    says: (told) =>
      `${did('Entered results of', 'a payment run')(told)}${saysFailed(told.post) ? '. Failures wait for a second person' : ''}`,
    objects: inPath('paymentRun'),
  },
  returnPayment: {
    to: 'enter that a transfer came back',
    says: (told) =>
      `${did('Entered that a transfer came back of', 'a payment run')(told)}. It waits for a second person`,
    objects: inPath('paymentRun'),
  },
  enterRefusedFile: {
    to: 'enter that the bank refused a file',
    says: (told) =>
      `${did('Entered that the bank refused a file of', 'a payment run')(told)}. It waits for a second person`,
    objects: inPath('paymentRun'),
  },
  settleRefusals: {
    to: 'enter that the bank did pay transfers',
    says: did('Entered that the bank did pay transfers of', 'a payment run'),
    objects: inPath('paymentRun'),
  },
  readResultFile: {
    to: 'read a result file',
    says: ({ post }) =>
      `${valuesIn(post, 'take').includes(true) ? 'Read' : 'Checked'} a bank’s result file`,
    objects: inPath('paymentRun'),
  },

  createPartnerPostback: {
    to: 'add a postback',
    says: withText('Added the postback', 'url', 'a postback'),
  },
  updatePartnerPostback: { to: 'update a postback', says: () => 'Updated a postback' },
  deletePartnerPostback: { to: 'delete a postback', says: () => 'Deleted a postback' },
  switchPartnerPostback: {
    to: 'switch a postback on or off',
    says: ({ post }) => `Switched a postback ${valuesIn(post, 'on')[0] === true ? 'on' : 'off'}`,
  },
  testPartnerPostback: {
    to: 'test a postback',
    says: withText('Tested the postback', 'url', 'a postback'),
  },
  quietAlarm: { to: 'quiet an alarm', says: quieted(() => 'an alarm') },
  quietSite: {
    to: 'quiet a site’s alarms',
    says: quieted((told) => `the alarms of ${namesOf(told, 'a site')}`),
    objects: inPath('site'),
  },
  saveAlarmSettings: {
    to: 'change when alarms are raised',
    says: changed('when alarms are raised'),
    objects: () => ['alarmSettings:0'],
  },
  saveContact: {
    to: 'change whom offices and agents ask',
    says: changed('whom offices and agents ask'),
    objects: () => ['contact:0'],
  },
  saveSignInRules: {
    to: 'change who needs a second factor',
    says: changed('who needs a second factor'),
    objects: () => ['signInRules:0'],
  },
  sendAgain: { to: 'send a postback again', says: () => 'Sent a postback again' },
  chooseNotifications: {
    to: 'choose what they hear of by mail',
    says: ({ post }) =>
      `Chose mails about ${String(valuesIn(post, 'topic')[0])}: ${String(valuesIn(post, 'choice')[0])}`,
  },
  createWebhook: { to: 'add a webhook', says: withText('Added the webhook', 'url', 'a webhook') },
  updateWebhook: { to: 'update a webhook', says: () => 'Updated a webhook' },
  rotateWebhookSecret: {
    to: 'make a new secret for a webhook',
    says: () => 'Made a new secret for a webhook',
  },
  deleteWebhook: { to: 'delete a webhook', says: () => 'Deleted a webhook' },
  switchWebhook: {
    to: 'switch a webhook on or off',
    says: ({ post }) => `Switched a webhook ${valuesIn(post, 'on')[0] === true ? 'on' : 'off'}`,
  },
  testWebhook: { to: 'test a webhook', says: () => 'Tested a webhook' },
  sendWebhookAgain: { to: 'send a webhook again', says: () => 'Sent a webhook again' },
  tryQueueAgain: {
    to: 'send again what failed',
    says: ({ post }) => `Sent ${queued(post)} again that had failed`,
  },
  decideHeld: {
    to: 'decide on what a restore held back',
    says: ({ post }) =>
      `${valuesIn(post, 'decision')[0] === 'send' ? 'Sent' : 'Dropped'} ${queued(post)} held back by a restore`,
  },
  verifyNow: { to: 'verify now', says: () => 'Asked for a verification' },
  createSavedView: { to: 'save a view', says: withText('Saved the view', 'name', 'a view') },
  updateSavedView: { to: 'change a saved view', says: () => 'Changed a saved view of their own' },
  moveSavedView: { to: 'move a saved view', says: () => 'Moved a saved view of their own' },
  deleteSavedView: { to: 'delete a saved view', says: () => 'Deleted a saved view of their own' },
  savePaySettings: paySettings('change the pay settings'),
  saveJournalAccounts: paySettings('name the accounts of the journal'),
  closeMonth: {
    to: 'close a month of the journal',
    says: ({ post }) => `Closed ${valuesIn(post, 'month').join(', ')} in the journal`,
    objects: () => ['paySettings:0'],
  },
  closePayPeriod: {
    to: 'close a pay period',
    says: withText('Closed the pay period', 'typed', 'a pay period'),
  },
  savePayExchangeRate: {
    to: 'enter an exchange rate',
    says: orProposed(andText('Entered an exchange rate', 'source', ' from ')),
    objects: inAnswer('payProposal', 'proposalId'),
  },
  createAdjustment: {
    to: 'adjust a payee’s pay',
    says: orProposed((told) =>
      andText(
        valueOf(told.post, 'countsAs') === 'not income'
          ? 'Adjusted a payee’s pay, not as income'
          : 'Adjusted a payee’s pay',
        'reason',
      )(told),
    ),
    objects: (call) => [
      ...payeeInBody(call),
      ...inBody('agent', 'heldBackFor')(call),
      ...inAnswer('payProposal', 'proposalId')(call),
    ],
  },
  enterAdjustmentFile: {
    to: 'enter adjustments from a file',
    says: () => 'Entered adjustments from a file',
  },
  takeBackAdjustment: {
    to: 'take back an adjustment',
    says: orProposed(andText('Took back an adjustment', 'reason')),
    objects: inAnswer('payProposal', 'proposalId'),
  },
  convertBalance: {
    to: 'convert a former balance',
    says: orProposed(andText('Converted a former balance', 'source', ' at a rate from ')),
    objects: (call) => [...payeeInBody(call), ...inAnswer('payProposal', 'proposalId')(call)],
  },
  payOutside: {
    to: 'enter a payment outside payment runs',
    says: orProposed(andText('Entered a payment outside payment runs', 'voucher', ', voucher ')),
    objects: (call) => [...payeeInBody(call), ...inAnswer('payProposal', 'proposalId')(call)],
  },
  receiveMoney: {
    to: 'enter money that a payee paid back',
    says: orProposed(andText('Entered money received', 'voucher', ', voucher ')),
    objects: (call) => [...payeeInBody(call), ...inAnswer('payProposal', 'proposalId')(call)],
  },
  proposePayLimits: {
    to: 'propose other limits of pay',
    says: orProposed(() => 'Proposed other limits of pay'),
    objects: inAnswer('payProposal', 'proposalId'),
  },
  approvePayProposal: {
    to: 'approve what waits for a second person',
    says: did('Approved', 'what waited for a second person'),
    objects: inPath('payProposal'),
  },
  refusePayProposal: {
    to: 'refuse what waits for a second person',
    says: withReason('Refused', 'what waited for a second person'),
    objects: inPath('payProposal'),
  },
  withdrawPayProposal: {
    to: 'withdraw what waits for a second person',
    says: withReason('Withdrew', 'what waited for a second person'),
    objects: inPath('payProposal'),
  },
  giveUpBalance: {
    to: 'give up what is left of somebody who was deleted',
    says: () => 'Gave up what was left of a deleted payee',
    objects: payeeInPath,
  },
  setPayHold: {
    to: 'hold a payee’s pay, or lift the hold',
    says: ({ post }) =>
      valuesIn(post, 'held').includes(true)
        ? 'Put a payee’s pay on hold'
        : 'Lifted the hold on a payee’s pay',
    objects: payeeInPath,
  },
  setPayMinimum: {
    to: 'change a payee’s minimum',
    says: () => 'Changed a payee’s minimum',
    objects: payeeInPath,
  },
  saveTaxDetails: {
    to: 'enter a payee’s tax details',
    says: () => 'Entered tax details of a payee',
    objects: payeeInBody,
  },
  proposeTaxRate: {
    to: 'propose at which rate tax is withheld from a payee',
    says: orProposed(() => 'Proposed a rate of withholding tax'),
    objects: (call) => [...payeeInBody(call), ...inAnswer('payProposal', 'proposalId')(call)],
  },
  savePayerDetails: {
    to: 'enter the network’s tax details',
    says: () => 'Entered tax details of the network',
    objects: () => ['paySettings:0'],
  },
  setDemoVisitors: {
    to: 'start or stop the demo’s visitors',
    says: ({ post }) =>
      `${valuesIn(post, 'on').includes(true) ? 'Started' : 'Stopped'} the demo’s visitors`,
  },
} satisfies Record<ChangingEndpoint, ChangingCall>

const byAction = new Map<string, ChangingCall>(
  Object.entries(changingCalls).map(([name, one]) => [
    nameOf(endpoints[name as ChangingEndpoint]),
    one,
  ]),
)
// Of older entries.
byAction.set('PUT /api/chat-logs/', changingCalls.submitChatLog)

/** What reading calls do: the first sentence of their summaries. */
const summaries = new Map(
  Object.values<Endpoint>(endpoints).map((one) => [
    nameOf(one),
    one.summary.split(/[.(:](?= |$)/)[0] ?? one.summary,
  ]),
)
