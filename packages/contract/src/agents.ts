import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { changesOf, onOffSchema } from './forms.ts'
import {
  criteriaOf,
  doneSchema,
  idSchema,
  idTextSchema,
  keptOrRequired,
  line,
  listRequest,
  pagedList,
  required,
  text,
  versionSchema,
} from './list.ts'
import {
  newPassword,
  replacedPassword,
  revealedPasswordSchema,
  shownPassword,
  usernameSchema,
} from './passwords.ts'
import { siteListSchema } from './site-list.ts'

export const agentItemSchema = z.object({
  id: idSchema,
  companyId: idSchema,
  officeName: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  ...shownPassword,
  email: z.string().nullable(),
  regTime: z.iso.datetime(),
  lastLoginTime: z.iso.datetime().nullable(),
  loginCount: z.int(),
  active: z.boolean(),
  hidden: z.boolean(),
  approved: z.boolean(),
  loginBlocked: z.boolean(),
  /** While signing in is open in spite of the block: until then. */
  loginOpenUntil: z.iso.datetime().nullable(),
  /** A merchant has called a sale of it fraud, and nobody has activated it since: when that was. */
  fraudFlaggedAt: z.iso.datetime().nullable(),
  sitesCount: z.int(),
})
export type AgentItem = z.infer<typeof agentItemSchema>

export const agentsSearchSchema = listRequest(
  [
    'match',
    'username',
    'officeName',
    'regTime',
    'lastLoginTime',
    'loginCount',
    'status',
    'sitesCount',
  ],
  { sortField: 'match', sortAsc: true },
)
  .extend({
    criteria: criteriaOf({
      /** In username, first and last name, e-mail or the office’s name. By `match` the best come first. */
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
  mustRead: text(10_000).default(''),
  active: onOffSchema,
  hidden: onOffSchema,
  loginBlocked: onOffSchema,
}

/** A site of the office, on or off for the agent; its name may be sent along and is not looked at. */
const siteSwitchSchema = z.strictObject({
  siteId: idSchema,
  enable: onOffSchema,
  sitename: line(128).optional(),
})

/** Both ways of naming sites, which a new agent and a changed one take alike. */
const siteFields = {
  /** These are on, and every other site of the office is off. */
  siteIds: z.array(idSchema).max(10_000).optional(),
  /** On or off one by one; sites that are not named stay as they are, which for a new agent is on. */
  sites: z.array(siteSwitchSchema).max(10_000).optional(),
}

const eitherOfThem = ({ siteIds, sites }: { siteIds?: unknown; sites?: unknown }) =>
  siteIds === undefined || sites === undefined
const notBoth = { path: ['siteIds'], message: 'can’t come together with sites' }

/** As stored: what was entered by other rules, or never, must open in the form too. */
export const agentSchema = z.object({
  id: idSchema,
  officeId: idSchema,
  officeName: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  mustRead: z.string(),
  active: z.boolean(),
  hidden: z.boolean(),
  loginBlocked: z.boolean(),
  approved: z.boolean(),
  loginOpenUntil: z.iso.datetime().nullable(),
  fraudFlaggedAt: z.iso.datetime().nullable(),
  /** The sites of its office, each switched on or off for this agent. Hidden sites are left out. */
  sites: z.array(z.object({ siteId: idSchema, sitename: z.string(), enable: z.boolean() })),
  version: z.int(),
})
export type Agent = z.infer<typeof agentSchema>

const agentIds = z.array(idSchema).min(1).max(5000)

export const agentsEndpoints = {
  searchAgents: endpoint({
    method: 'POST',
    path: '/api/agents/search',
    summary: 'Agents, searched by name, e-mail, office and status; the best match first',
    ability: 'agents.view',
    action: 'SEARCH',
    body: agentsSearchSchema,
    response: pagedList(agentItemSchema),
  }),
  agent: endpoint({
    method: 'GET',
    path: '/api/agents/:id',
    summary: 'One agent, for its form',
    ability: 'agents.edit',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: agentSchema,
  }),
  agentPassword: endpoint({
    method: 'POST',
    path: '/api/agents/:id/password',
    summary:
      'The password of an agent, where it is kept in readable form; the common logs hold who asked for whose',
    ability: 'agents.view',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    response: revealedPasswordSchema,
  }),
  agentSites: endpoint({
    method: 'GET',
    path: '/api/sites/:id/by-agent',
    summary: 'The sites that an agent may sell; the id is the agent’s',
    ability: 'agents.view',
    action: 'VIEW',
    params: z.object({ id: idTextSchema }),
    ...siteListSchema,
  }),
  createAgent: endpoint({
    method: 'PUT',
    path: '/api/agents',
    summary: 'Adds an agent with its account; it waits for approval',
    ability: 'agents.create',
    action: 'CREATE',
    body: newPassword({
      /** Ignored for an office: its agents are its own. */
      officeId: idSchema.nullish(),
      username: usernameSchema,
      ...agentFields,
      active: onOffSchema.default(true),
      hidden: onOffSchema.default(false),
      loginBlocked: onOffSchema.default(false),
      ...siteFields,
    }).refine(eitherOfThem, notBoth),
    response: z.object({ id: idSchema }),
  }),
  updateAgent: endpoint({
    method: 'POST',
    path: '/api/agents/:id',
    summary: 'Changes an agent; what is left out, and an empty password, stays as it is',
    ability: 'agents.edit',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: replacedPassword({
      /** Only a superadmin moves an agent to another office. */
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
    summary: 'Activates, suspends, shows, hides agents, or opens and closes their signing in',
    ability: 'agents.edit',
    action: 'STATUS',
    body: z.union(
      [
        z.strictObject({ ids: agentIds, active: onOffSchema }),
        z.strictObject({ ids: agentIds, hidden: onOffSchema }),
        /** `false` opens a blocked login until the next 01:00 in New York; the form lifts the block for good. */
        z.strictObject({ ids: agentIds, loginBlocked: onOffSchema }),
      ],
      { error: 'must have ids, and one of active, hidden and loginBlocked' },
    ),
    response: doneSchema,
  }),
  deleteAgent: endpoint({
    method: 'DELETE',
    path: '/api/agents/:id',
    summary: 'Deletes an agent with all its clicks, sales, statistics and logs',
    ability: 'agents.delete',
    action: 'DELETE',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
}
