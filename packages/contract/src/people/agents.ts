import { z } from 'zod'
import { endpoint, type RequestOf } from '../endpoint.ts'
import { changesOf, onOffSchema } from '../forms.ts'
import {
  criteriaOf,
  doneSchema,
  idSchema,
  idTextSchema,
  keptOrRequired,
  line,
  listRequest,
  optionalEmailSchema,
  orStandard,
  pagedList,
  required,
  text,
  versionSchema,
} from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { invitedFields } from './invitations.ts'
import {
  firstPassword,
  replacedPassword,
  revealedPasswordSchema,
  shownPassword,
  usernameSchema,
} from './passwords.ts'
import { sellerDaysSchema, sellerFiguresSchema } from './sellers.ts'
import { siteListSchema } from './site-list.ts'

const agentItemSchema = z.object({
  id: idSchema,
  companyId: idSchema,
  officeName: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  ...shownPassword,
  /** The confirmed one. */
  email: z.string().nullable(),
  regTime: z.iso.datetime(),
  lastLoginTime: z.iso.datetime().nullable(),
  loginCount: z.int(),
  active: z.boolean(),
  hidden: z.boolean(),
  approved: z.boolean(),
  ...invitedFields,
  loginBlocked: z.boolean(),
  /** End of a temporary login window on a blocked account; null if no window is open. */
  loginOpenUntil: z.iso.datetime().nullable(),
  /** When a merchant reported one of the agent’s sales as fraud; null once staff have cleared them. */
  fraudFlaggedAt: z.iso.datetime().nullable(),
  sitesCount: z.int(),
  /** Only if the search asks for figures. */
  figures: sellerFiguresSchema.optional(),
})
export type AgentItem = z.infer<typeof agentItemSchema>

export const agentsSearchSchema = listRequest(sortFields.agents, {
  sortField: 'match',
  sortAsc: true,
})
  .extend({
    /** Adds what each sold of late. A search that sorts by such a figure has them, too. */
    figures: orStandard(onOffSchema, false),
    criteria: criteriaOf({
      /** Searches username, first and last name, email and office name. Sort by `match` for best matches first. */
      text: { operators: ['LIKE'], value: line(100) },
      username: { operators: ['LIKE', '='], value: line(100) },
      officeName: { operators: ['LIKE', '='], value: line(100) },
      'agents.id': { operators: ['='], value: idSchema },
      companyId: { operators: ['='], value: idSchema },
      active: { operators: ['='], value: onOffSchema },
    }),
  })
  .strict()
export type AgentsSearch = z.output<typeof agentsSearchSchema>

const agentFields = {
  firstName: required(64),
  lastName: required(64),
  /** Emails about the account go there, once the link that is mailed to it was opened. */
  email: optionalEmailSchema.default(''),
  mustRead: text(10_000).default(''),
  active: onOffSchema,
  hidden: onOffSchema,
  loginBlocked: onOffSchema,
}

/** One of the office’s sites, on or off for the agent. `sitename` is accepted and ignored. */
const siteSwitchSchema = z.strictObject({
  siteId: idSchema,
  enable: onOffSchema,
  sitename: line(128).optional(),
})

/** Two alternative ways to choose sites, for both create and update. */
const siteFields = {
  /** Turns these sites on and all other sites of the office off. */
  siteIds: z.array(idSchema).max(10_000).optional(),
  /** Turns single sites on or off. Other sites keep their state; for a new agent they are on. */
  sites: z.array(siteSwitchSchema).max(10_000).optional(),
}

const eitherOfThem = ({ siteIds, sites }: { siteIds?: unknown; sites?: unknown }) =>
  siteIds === undefined || sites === undefined
const notBoth = { path: ['siteIds'], message: 'can’t be combined with sites' }

/** What the form has. `siteIds` stands for both ways to choose sites. */
export type AgentField = keyof typeof agentFields | 'officeId' | 'username' | 'siteIds'

/** As stored, unvalidated: the form must also open rows that predate today’s rules. */
const agentSchema = z.object({
  id: idSchema,
  officeId: idSchema,
  officeName: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** False until the link that was mailed to the address has been opened. */
  emailConfirmed: z.boolean(),
  mustRead: z.string(),
  active: z.boolean(),
  hidden: z.boolean(),
  loginBlocked: z.boolean(),
  approved: z.boolean(),
  loginOpenUntil: z.iso.datetime().nullable(),
  fraudFlaggedAt: z.iso.datetime().nullable(),
  /** The office’s sites, each on or off for this agent. Hidden sites are left out. */
  sites: z.array(z.object({ siteId: idSchema, sitename: z.string(), enable: z.boolean() })),
  version: z.int(),
})
export type Agent = z.infer<typeof agentSchema>

const agentIds = z.array(idSchema).min(1).max(5000)

const minorUnits = (name: string) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, `must be a whole number of ${name}`)
    .transform(Number)
    .optional()

export const agentsEndpoints = {
  searchAgents: endpoint({
    method: 'POST',
    path: '/api/agents/search',
    summary: 'Search agents by name, email, office and status, best match first',
    ability: 'agents.view',
    byToken: 'people',
    action: 'SEARCH',
    body: agentsSearchSchema,
    response: pagedList(agentItemSchema).extend({
      /**
       * Agents in the viewer's scope that the list leaves out as hidden or suspended. Only for the
       * whole list, without criteria.
       */
      leftOut: z.int().min(0).optional(),
      /** The days of `figures`. */
      figuresOf: sellerDaysSchema.optional(),
    }),
  }),
  agent: endpoint({
    method: 'GET',
    path: '/api/agents/:id',
    summary: 'Get an agent',
    ability: 'agents.edit',
    byToken: 'people',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: agentSchema,
  }),
  agentPassword: endpoint({
    method: 'POST',
    path: '/api/agents/:id/password',
    summary:
      'Reveal an agent’s password if it is stored in readable form. The common logs record each request.',
    ability: 'agents.view',
    proof: 'recent',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: revealedPasswordSchema,
  }),
  agentSites: endpoint({
    method: 'GET',
    path: '/api/sites/:id/by-agent',
    summary: 'List the sites that an agent may sell. `id` is the agent’s.',
    ability: 'agents.view',
    byToken: 'people',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    ...siteListSchema,
  }),
  createAgent: endpoint({
    method: 'PUT',
    path: '/api/agents',
    summary:
      'Create an agent and their account, pending approval. They get a password, or are invited to choose one.',
    ability: 'agents.create',
    proof: 'recent',
    action: 'CREATE',
    body: firstPassword(
      {
        /** Ignored when an office calls: it creates agents for itself. */
        officeId: idSchema.nullish(),
        username: usernameSchema,
        ...agentFields,
        active: onOffSchema.default(true),
        hidden: onOffSchema.default(false),
        loginBlocked: onOffSchema.default(false),
        ...siteFields,
      },
      'email',
    ).refine(eitherOfThem, notBoth),
    response: z.object({ id: idSchema }),
  }),
  updateAgent: endpoint({
    method: 'POST',
    path: '/api/agents/:id',
    summary: 'Update an agent. Omitted fields and an empty password are left unchanged.',
    ability: 'agents.edit',
    byToken: 'people',
    proof: 'for-credentials',
    decides: 'agent',
    action: 'UPDATE',
    refuses: [429],
    params: z.object({ id: idTextSchema }),
    body: replacedPassword({
      /** Only a superadmin may move an agent to another office. */
      officeId: idSchema.nullish(),
      ...changesOf(agentFields),
      firstName: keptOrRequired(64).optional(),
      lastName: keptOrRequired(64).optional(),
      ...siteFields,
      ...agentSchema
        .pick({
          id: true,
          officeName: true,
          username: true,
          emailConfirmed: true,
          approved: true,
          loginOpenUntil: true,
          fraudFlaggedAt: true,
        })
        .partial().shape,
      version: versionSchema,
    }).refine(eitherOfThem, notBoth),
    response: doneSchema,
  }),
  agentsStatus: endpoint({
    method: 'POST',
    path: '/api/agents/status',
    summary:
      'Activate, suspend, show or hide agents, block or unblock their login, or clear them of fraud',
    ability: 'agents.edit',
    byToken: 'people',
    decides: 'agent',
    action: 'STATUS',
    refuses: [404],
    body: z.union(
      [
        z.strictObject({ ids: agentIds, active: onOffSchema }),
        z.strictObject({ ids: agentIds, hidden: onOffSchema }),
        /** `false` allows login until the next 01:00 in New York. To lift the block for good, update the agent. */
        z.strictObject({ ids: agentIds, loginBlocked: onOffSchema }),
        /** Clears them, and takes back what was held back for them. Activating them is another change. */
        z.strictObject({ ids: agentIds, fraudFlagged: z.literal(false) }),
      ],
      { error: 'must have ids, and one of active, hidden, loginBlocked and fraudFlagged' },
    ),
    response: doneSchema,
  }),
  endAgentSessions: endpoint({
    method: 'DELETE',
    path: '/api/agents/:id/sessions',
    summary: 'End all sessions of an agent, in every browser. API tokens stay.',
    ability: 'agents.edit',
    proof: 'recent',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  deleteAgent: endpoint({
    method: 'DELETE',
    path: '/api/agents/:id',
    summary:
      'Delete an agent with all their clicks, sales, statistics and logs. Refused while they have unpaid money, or owe of an advance, unless the exact amounts are sent.',
    ability: 'agents.delete',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    query: z.object({
      /**
       * The amount that the refusal named, as typed: money that is on no statement yet, plus the
       * agent's own balance, which is given up.
       */
      unpaidCentavos: minorUnits('centavos'),
      unpaidCents: minorUnits('cents'),
      /** What they owe of advances, as the refusal named it: it is given up. */
      owedCentavos: minorUnits('centavos'),
      owedCents: minorUnits('cents'),
    }),
    response: doneSchema,
  }),
}

/** What is typed to delete an agent although money is lost. */
export type TypedToDelete = RequestOf<typeof agentsEndpoints.deleteAgent>['query']
