import type { AdminField } from './admins.ts'
import type { AgentField } from './agents.ts'
import type { ContactField } from './contact.ts'
import type { DomainField } from './domains.ts'
import type { SignInRules } from '@tallyroom/domain/sign-in-rules'
import type { OfficeField } from './offices.ts'

/*
 * What forms and the history call the fields of forms. A field without a label does not compile.
 */

export const officeLabels = {
  officeName: 'Office name',
  manFirstName: 'Manager first name',
  manLastName: 'Manager last name',
  manEmail: 'Manager email',
  username: 'Username',
  agentNotes: 'Must Read',
  preferredDomainId: 'Preferred domain',
  active: 'Active',
  hidden: 'Hidden',
  siteIds: 'Sites',
} satisfies Record<OfficeField, string>

export const agentLabels = {
  officeId: 'Office',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  mustRead: 'Must Read',
  active: 'Active',
  hidden: 'Hidden',
  loginBlocked: 'Login blocked',
  username: 'Username',
  siteIds: 'Sites',
} satisfies Record<AgentField, string>

export const adminLabels = {
  email: 'Email',
  username: 'Username',
  earningVisible: 'Earning visible',
  approveAgents: 'Approve agents',
  showSuspend: 'Show suspended accounts',
  showCommonLogs: 'Show common logs',
  pay: 'Manage pay',
} satisfies Record<AdminField, string>

export const domainLabels = {
  domain: 'Domain',
  description: 'Note',
  hidden: 'Hidden',
  rootUrl: 'Without a link, go to',
} satisfies Record<DomainField, string>

export const passwordLabels = { password: 'Password', passwordConfirm: 'Confirm password' }

export const signInRulesLabels = {
  superadmins: 'Superadmins',
  admins: 'Admins',
  payers: 'Everybody who may pay',
  offices: 'Offices',
  agents: 'Agents',
  secondActs: 'Whoever approves',
} satisfies Record<keyof SignInRules, string>

export const contactLabels = {
  name: 'Name',
  chat: 'Chat',
  email: 'Email',
} satisfies Record<ContactField, string>
