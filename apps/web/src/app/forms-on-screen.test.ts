import { MantineProvider } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { linkTypeLabels, siteLabels } from '@tallyroom/contract/catalogue/labels'
import {
  adminLabels,
  agentLabels,
  domainLabels,
  officeLabels,
} from '@tallyroom/contract/people/labels'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLinkTypeValues } from '../catalogue/link-types/link-type-form.ts'
import { LinkTypeFields } from '../catalogue/link-types/LinkTypeFields.tsx'
import { newSiteValues } from '../catalogue/sites/site-form.ts'
import { SiteFields } from '../catalogue/sites/SiteFields.tsx'
import { forgetSession, openSession } from '../lib/session.ts'
import { newAdminValues } from '../people/admins/admin-form.ts'
import { AdminFields } from '../people/admins/AdminFields.tsx'
import { newAgentValues } from '../people/agents/agent-form.ts'
import { AgentFields } from '../people/agents/AgentFields.tsx'
import { newDomainValues } from '../people/domains/domain-form.ts'
import { DomainFields } from '../people/domains/DomainFields.tsx'
import { newOfficeValues } from '../people/offices/office-form.ts'
import { OfficeFields } from '../people/offices/OfficeFields.tsx'

beforeAll(() =>
  openSession({
    token: 'x',
    me: {
      accountId: 1,
      username: 'root',
      role: 'superadmin',
      companyId: null,
      officeName: null,
      agentId: null,
      permissions: [],
      signedInBy: null,
      mustChangePassword: false,
      mustAddFactor: false,
      isDemo: false,
      factors: [],
      contact: null,
    },
  }),
)
afterAll(forgetSession)

/** The form as HTML. */
function markupOf<Values extends Record<string, unknown>>(
  initialValues: Values,
  fieldsOf: (form: UseFormReturnType<Values>) => ReactNode,
): string {
  const Fields = () => fieldsOf(useForm({ initialValues }))
  const client = new QueryClient()
  const page = createElement(QueryClientProvider, { client }, createElement(Fields))
  return renderToStaticMarkup(createElement(MantineProvider, null, page))
}

/** Labels of a link's rates name the sale, the page passes pickers, and the tracker is chosen beside its postbacks. */
const namedElsewhere = new Set<string>([
  ...Object.values(linkTypeLabels).filter((label) => /payout|earning|lpp|rates/i.test(label)),
  agentLabels.officeId,
  agentLabels.siteIds,
  siteLabels.tracker,
])

test.each([
  [
    'a site',
    siteLabels,
    () => markupOf(newSiteValues, (form) => createElement(SiteFields, { form })),
  ],
  [
    'a link type',
    linkTypeLabels,
    () =>
      markupOf({ ...newLinkTypeValues, bonus: true }, (form) =>
        createElement(LinkTypeFields, { form, site: { useApproveSale: false } }),
      ),
  ],
  [
    'a domain',
    domainLabels,
    () => markupOf(newDomainValues, (form) => createElement(DomainFields, { form })),
  ],
  [
    'an office',
    officeLabels,
    () =>
      markupOf(newOfficeValues({ office: undefined, sites: [], domains: [] }), (form) =>
        createElement(OfficeFields, { form, sites: [], domains: [], isNew: true }),
      ),
  ],
  [
    'an agent',
    agentLabels,
    () =>
      markupOf(newAgentValues, (form) =>
        createElement(AgentFields, { form, office: null, sites: null, isNew: true }),
      ),
  ],
  [
    'an admin',
    adminLabels,
    () => markupOf(newAdminValues, (form) => createElement(AdminFields, { form, isNew: true })),
  ],
])('each field of %s is on its form', (_, labels, markup) => {
  const html = markup()
  const missing = Object.values(labels).filter(
    (label) =>
      !namedElsewhere.has(label) &&
      !html.includes(`>${label}<`) &&
      !html.includes(`>${label} (optional)<`),
  )
  expect(missing).toEqual([])
})
