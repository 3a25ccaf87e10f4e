export { accountOf, whyClosed } from './accounts/account.ts'
export {
  hasAccounts,
  insertAccount,
  isDemoWorld,
  selectAccounts,
} from './accounts/accounts.queries.ts'
export { findGranted } from './accounts/pay-grants.queries.ts'
export { accountsRoutes } from './accounts/accounts.routes.ts'
export { createFirstSuperadmin } from './accounts/first-superadmin.ts'
export { findReader } from './accounts/find-reader.ts'
export { getHolder, mailAddress } from './addresses/mail-address.queries.ts'
export { type PasswordColumn, passwordColumn } from './accounts/password-column.ts'
export { resealPasswords } from './accounts/reseal-passwords.ts'
export { tellOfChange } from './mail/tell-of-change.ts'
export { fillUsernameLooks } from './accounts/username-look.ts'
export { findAdmins } from './admins/admins.queries.ts'
export { findAdminForms } from './admins/admins.ts'
export { adminsRoutes } from './admins/admins.routes.ts'
export { setPay } from './admins/grant-pay.ts'
export {
  SPECIAL_PERMISSIONS,
  resetFactor,
  resetPassword,
  setSpecialPermission,
} from './admins/operator.ts'
export { migrationRoutes } from './agent-migration/agent-migration.routes.ts'
export { importAgents } from './agent-migration/import-agents.ts'
export { FileError } from './agent-migration/read-agents.ts'
export { lockAgent } from './agents/agent-form.queries.ts'
export { findAgentRows } from './agents/agent-list.queries.ts'
export { findAgentForms } from './agents/save-agent.ts'
export { agentsRoutes } from './agents/agents.routes.ts'
export { findApprovalQueue } from './approval/approval.queries.ts'
export { approvalRoutes } from './approval/approval.routes.ts'
export {
  type FactorServices,
  type Giver,
  hashOfAct,
  takeFactorFor,
  withFactor,
} from './confirming/act-with-factor.ts'
export { authRoutes } from './auth/auth.routes.ts'
export { confirmHolder, stillHolder } from './auth/confirm-holder.ts'
export { forgottenPasswords } from './auth/forgot.ts'
export { forgotRoutes } from './auth/forgot.routes.ts'
export { purgeSignIn } from './auth/purge-sign-in.ts'
export { remoteLoginRoutes } from './auth/remote-login.routes.ts'
export { unlockAccount } from './auth/sign-in-waits.ts'
export { type Blacklist, blacklistOf, keepBlacklist } from './blacklist/blacklist.ts'
export { ipBlacklistRoutes } from './blacklist/ip-blacklist.routes.ts'
export { findContact } from './contact/contact.queries.ts'
export { contactRoutes } from './contact/contact.routes.ts'
export { keepDomainRoots } from './domains/domain-roots.ts'
export { isLinkDomain, isOwnAddress } from './domains/own-address.ts'
export { findActiveDomains, findDomainsById } from './domains/preferred-domains.queries.ts'
export { preferredDomainsRoutes } from './domains/preferred-domains.routes.ts'
export { findHandsBehind, findPersons, findPersonsEver } from './hands/persons.ts'
export { type DeedApproval, type DoneDeed, type WhyNot, whyMayNot } from './hands/who-may.ts'
export { escapeHtml, type MailPart, mailBody } from './mail/mail-body.ts'
export {
  countMails,
  decideHeldMails,
  findTroubledMails,
  holdMails,
  tryMailsAgain,
} from './mail/mails.queries.ts'
export { GIVE_UP_AFTER_MS, postMail, postMails } from './mail/post-mail.ts'
export {
  bringForward as bringMailsForward,
  forgetMails,
  startMailSender,
} from './mail/send-mails.ts'
export { isOfficeInScope } from './offices/choices.queries.ts'
export type { GivesBack } from './agents/gives-back.ts'
export { allowEveryOffice } from './offices/office-form.queries.ts'
export { findOfficeRows } from './offices/office-list.queries.ts'
export { findOfficeForms } from './offices/save-office.ts'
export { officesRoutes } from './offices/offices.routes.ts'
export { importRoutes } from './import/import.routes.ts'
export { invitationsRoutes } from './invitations/invitations.routes.ts'
export { newAddressRoutes } from './new-address/new-address.routes.ts'
export { ownFactorsRoutes } from './own-factors/own-factors.routes.ts'
export { findFactorDays, findPublicKeys } from './factors/factors.queries.ts'
export { findKeyChanges } from './factors/passkeys.queries.ts'
export { type Signed, signedAbout } from './factors/passkeys.ts'
export { resealAuthenticators } from './factors/sealed-secret.ts'
export { findSignInRules, isProviderOnly } from './sign-in-rules/sign-in-rules.queries.ts'
export { signInRulesRoutes } from './sign-in-settings/sign-in-rules.routes.ts'
export { allowPasswords, disconnectProvider } from './provider/own-provider.ts'
export { providerRoutes } from './provider/provider.routes.ts'
export { profileRoutes } from './profile/profile.routes.ts'
export type { Amounts, Earnings, FindsEarnings } from './sellers/sellers.ts'
export { makeFindViewer } from './sessions/find-viewer.ts'
export { tokensRoutes } from './tokens/tokens.routes.ts'
export { findSamePlace } from './sessions/same-place.ts'
export { sessionIdleMs } from './sessions/open-session.ts'
