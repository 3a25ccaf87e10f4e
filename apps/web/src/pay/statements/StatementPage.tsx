import { Badge, Button } from '@mantine/core'
import {
  carriedInRunsText,
  carriedText,
  type DocumentWords,
  documentWords,
  moneyText,
  statementSections,
  statementSums,
} from '@tallyroom/contract/pay/statements/statement-sections'
import type { Statement } from '@tallyroom/contract/pay/statements/statements'
import type { StatementContent } from '@tallyroom/contract/pay/statements/statement'
import { rangeInWords } from '@tallyroom/domain/periods'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { statementWords } from '../../shared/earned.tsx'
import { usePageName } from '../../lib/pages/page-name.ts'
import { useIsPhone } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { ExportMenu } from '../../ui/export/ExportMenu.tsx'
import { PrintButton } from '../../ui/export/PrintButtons.tsx'
import { statementColors } from '../pay-words.ts'
import {
  estimateQuery,
  periodsQuery,
  previewOfQuery,
  saveStatement,
  statementQuery,
} from '../pay.api.ts'
import classes from '../pay.module.css'
import { PaymentLine } from './PaymentLine.tsx'
import { PaidByTier, StatementSections } from './StatementSections.tsx'
import { BalanceLink } from '../../shared/payee-links.tsx'

const StatementLineDrawer = lazy(() => import('./StatementLineDrawer.tsx'))

const route = getRouteApi('/app/pay/statements/$statementId')
const estimateRoute = getRouteApi('/app/pay/estimates/$name')
const previewRoute = getRouteApi('/app/pay/periods/$name/$kind/$id')

/** One statement, for staff and for its payee. */
export function StatementPage() {
  const { statementId } = route.useParams()
  return (
    <FormLoader
      query={useQuery(statementQuery(statementId))}
      back={{ to: '/app/pay/statements', label: 'Statements' }}
    >
      {(statement) => <StatementView statement={statement} />}
    </FormLoader>
  )
}

function StatementView({ statement }: { statement: Statement }) {
  const { id, number, payee, state, content, contentHash, closedAt, isPart } = statement
  const me = useMe()
  const { line } = route.useSearch()
  usePageName(number)
  const isOwn = me.role === 'agent' ? payee.kind === 'agent' : true
  const isPhone = useIsPhone()
  const actions = (
    <div className={classes.actions}>
      <PdfButton id={id} />
      <ExportMenu save={(format, options) => saveStatement(id, format, options)} disabled={false} />
      <PrintButton />
    </div>
  )
  return (
    <div className={classes.page}>
      <header>
        <div className={classes.head}>
          <h2>{number}</h2>
          <Badge color={statementColors[state]}>{statementWords(statement, isPart)}</Badge>
          {isPhone || actions}
        </div>
        <p className={classes.facts}>
          <span>{isOwn ? <BalanceLink payee={payee} /> : payee.name}</span>
          <span>{rangeInWords(content.period)}, New York days</span>
          <span>
            Closed <Instant at={closedAt} /> by {content.closedBy}
          </span>
        </p>
        {statement.payment && (
          <p className={classes.lead}>
            <PaymentLine payment={statement.payment} />
          </p>
        )}
        {isPart && <PartNote />}
        {isPhone && actions}
      </header>
      <Paper
        content={content}
        isPart={isPart}
        isPreview={false}
        became={statement}
        inRuns={carriedInRunsText(statement.carriedInRuns, content.currency)}
      />
      <p className={classes.hash}>
        SHA-256 <code>{contentHash}</code>
        {isPart && ' of the whole statement'}
      </p>
      {line !== undefined && (
        <Suspense>
          <StatementLineDrawer
            key={line}
            statementId={id}
            line={line}
            row={statementSections(content)
              .flatMap(({ rows }) => rows)
              .find(({ key }) => key === line)}
          />
        </Suspense>
      )}
    </div>
  )
}

function PdfButton({ id }: { id: number }) {
  const saving = useMutation({ mutationFn: () => saveStatement(id, 'pdf') })
  return (
    <Button
      leftSection={<IconDownload size={15} />}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      Download PDF
    </Button>
  )
}

/** The statement that closing would make for one payee. For a closed period, links to its statements. */
export function PreviewPage() {
  const { name } = previewRoute.useParams()
  return (
    <FormLoader query={useQuery(periodsQuery)} fields={3}>
      {(periods) => {
        const state = periods.find((one) => one.name === name)?.state
        const next = periods.findLast((one) => one.state !== 'closed')
        if (state !== 'closed' && next?.name === name) return <Preview />
        return (
          <p role="alert">
            {state === 'closed' ? `${name} is closed. ` : `Only the next period has a preview. `}
            {state === 'closed' ? (
              <LinkText to="/app/pay/statements" search={{ period: name }} underlined>
                Its statements
              </LinkText>
            ) : (
              <LinkText to="/app/pay/periods" underlined>
                All periods
              </LinkText>
            )}
          </p>
        )
      }}
    </FormLoader>
  )
}

function Preview() {
  const { name, kind, id } = previewRoute.useParams()
  const payeeKind = kind === 'agent' ? 'agent' : 'office'
  return (
    <FormLoader
      query={useQuery(previewOfQuery(name, { kind: payeeKind, id }))}
      back={{ to: '/app/pay/periods', label: 'Pay periods' }}
    >
      {(content) => <PreviewView content={content} />}
    </FormLoader>
  )
}

function PreviewView({ content }: { content: StatementContent }) {
  const { period, payee } = content
  usePageName(`${payee.name}, ${period.name}`)
  return (
    <div className={classes.page}>
      <header>
        <div className={classes.head}>
          <h2>{payee.name}</h2>
          <Badge color="gray">Preview</Badge>
        </div>
        <p className={classes.facts}>
          <span>
            <LinkText to="/app/pay/periods/$name" params={{ name: period.name }} underlined>
              {period.name}
            </LinkText>
            , {rangeInWords(period)}
          </span>
          <span>This is the statement that closing now would make. Nothing is saved yet.</span>
        </p>
      </header>
      <Paper content={content} isPart={false} isPreview />
    </div>
  )
}

/** An office's or agent's own statement of an open period, as it would be if the period were closed now. */
export function EstimatePage() {
  const { name } = estimateRoute.useParams()
  usePageName(name)
  return (
    <FormLoader query={useQuery(estimateQuery(name))} back={{ to: '/app/home', label: 'Home' }}>
      {(estimates) => (
        <div className={classes.page}>
          <header>
            <div className={classes.head}>
              <h2>{name}</h2>
              <Badge color="gray">Estimate</Badge>
            </div>
            <p className={classes.facts}>
              <span>
                This is the statement that closing the period now would make. It changes with each
                sale until the period is closed, and tiers pay at what their weeks have reached so
                far.
              </span>
            </p>
          </header>
          {estimates.length === 0 && (
            <p className={classes.lead}>Nothing was earned in this period yet.</p>
          )}
          {estimates.map(({ isPart, content }) => (
            <section key={`${content.payee.kind} ${content.payee.id}`} className={classes.page}>
              <p className={classes.facts}>
                <span>{content.payee.name}</span>
                <span>{rangeInWords(content.period)}, New York days</span>
              </p>
              {isPart && <PartNote />}
              <Paper content={content} isPart={isPart} isPreview />
            </section>
          ))}
        </div>
      )}
    </FormLoader>
  )
}

const PartNote = () => (
  <p className={classes.lead}>
    These are your lines of your office’s statement. The office is paid, and pays you.
  </p>
)

/** What makes a statement a self-billed document: its number, and who pays and who is paid. */
const SelfBilled = ({ title, about, parties }: DocumentWords) => (
  <section className={classes.card} aria-label={title}>
    <h3>{title}</h3>
    <div className={classes.parties}>
      {parties.map(({ role, name, taxNumber, address }) => (
        <div key={role}>
          <span className={classes.dim}>{role}</span>
          <div>
            <strong>{name}</strong>
          </div>
          <div>{address}</div>
          <div>{taxNumber}</div>
        </div>
      ))}
    </div>
    <p className={classes.lead}>{about}</p>
  </section>
)

interface PaperProps {
  content: StatementContent
  isPart: boolean
  isPreview: boolean
  became?: Pick<Statement, 'state' | 'carriedInto'>
  /** What of the balance before other payment runs pay. */
  inRuns?: string
}

/** A statement’s content: the amount to pay, lines and sums. */
function Paper({ content, isPart, isPreview, became, inRuns }: PaperProps) {
  const all = statementSums(content, became)
  const sums = isPart ? all.filter(({ key }) => key === 'amount') : all
  const answer = sums.at(-1)
  const why = isPart ? undefined : carriedText(content, became)
  const document = documentWords(content)
  const lines = { sections: statementSections(content), period: content.period, isPreview }
  return (
    <>
      {answer && (
        <div>
          <span className={classes.dim}>{answer.label}</span>
          <div className={classes.big}>{moneyText(answer.amount, answer.currency)}</div>
          {why && <span className={classes.dim}>{why}</span>}
          {inRuns && <p className={classes.dim}>{inRuns}</p>}
        </div>
      )}
      {document && <SelfBilled {...document} />}
      <StatementSections {...lines} />
      <dl className={classes.sums} aria-label="Sums">
        {sums.flatMap(({ key, label, amount, currency }) => [
          <dt key={key}>{label}</dt>,
          <dd key={`${key} amount`}>{moneyText(amount, currency)}</dd>,
        ])}
      </dl>
      <PaidByTier {...lines} />
    </>
  )
}
