import { Alert, Button } from '@mantine/core'
import {
  AGENT_COLUMNS,
  type Imported,
  type ImportLine,
  importEndpoints,
  OFFICE_COLUMNS,
} from '@tallyroom/contract/people/import'
import { can } from '@tallyroom/domain/abilities'
import { csvText } from '@tallyroom/domain/csv'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { base64Of, tooLargeText } from '../../lib/forms/base64.ts'
import { failureText } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { DialogButtons } from '../../ui/dialogs/DialogButtons.tsx'
import { FileChooser } from '../../ui/form/FileChooser.tsx'
import { BackButton } from '../../ui/links.tsx'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import { refreshAgents } from '../agents/agents.api.ts'
import { showInvitationLink } from '../invitations/invitation-menu.tsx'
import { refreshOffices } from '../offices/offices.api.ts'
import classes from './ImportPage.module.css'
import { counted, fateWords, type Kind, summary } from './import-words.ts'

const kinds = {
  office: {
    check: importEndpoints.checkOfficeFile,
    enter: importEndpoints.importOffices,
    refresh: refreshOffices,
    back: { to: '/app/offices/offices', label: 'Offices' },
  },
  agent: {
    check: importEndpoints.checkAgentFile,
    enter: importEndpoints.importAgents,
    refresh: refreshAgents,
    back: { to: '/app/agents', label: 'Agents' },
  },
} as const

export const ImportOfficesPage = () => <ImportPage kind="office" />
export const ImportAgentsPage = () => <ImportPage kind="agent" />

/** Adds offices or agents from a file, after a preview. */
function ImportPage({ kind }: { kind: Kind }) {
  const [file, setFile] = useState<{ name: string; bytes: string }>()
  const [tooLarge, setTooLarge] = useState<string>()
  const [done, setDone] = useState<Imported>()
  const mayChoose = can(useMe(), 'offices.choose')
  const { officeId: ofOffice, ...ownAgents } = AGENT_COLUMNS
  const headings = Object.values(
    kind === 'office' ? OFFICE_COLUMNS : mayChoose ? { ofOffice, ...ownAgents } : ownAgents,
  )
  const read = async (chosen: File) => {
    const problem = tooLargeText(chosen, 'Import it in several files.')
    setTooLarge(problem)
    setFile(undefined)
    setDone(undefined)
    if (problem !== undefined) return
    setFile({ name: chosen.name, bytes: base64Of(new Uint8Array(await chosen.arrayBuffer())) })
  }
  return (
    <div className={classes.page}>
      <p className={classes.lead}>
        A CSV file or an Excel workbook with one line for each {kind}, at most 1,000. Its first line
        has the headings: {headings.join(', ')}. Nobody gets a password: those with an email address
        are mailed an invitation to choose one, and for the others you copy a link. Before anything
        is added, you see what becomes of each line.
      </p>
      <div className={classes.fileRow}>
        <FileChooser
          onChoose={(chosen) => void read(chosen)}
          accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
        >
          {(props) => <Button {...props}>Choose a file</Button>}
        </FileChooser>
        <Button
          variant="default"
          onClick={() => download(`${kind}s-template.csv`, csvText([headings]))}
        >
          Download a template
        </Button>
        {file && <span>{file.name}</span>}
        <BackButton {...kinds[kind].back} />
      </div>
      {tooLarge !== undefined && <Refused text={tooLarge} />}
      {done ? (
        <Outcome kind={kind} done={done} />
      ) : (
        file && <Preview key={file.bytes} kind={kind} file={file.bytes} onDone={setDone} />
      )}
    </div>
  )
}

interface PreviewProps {
  kind: Kind
  /** In base64. */
  file: string
  onDone: (done: Imported) => void
}

/** What importing the file would do, and the button that does it. */
function Preview({ kind, file, onDone }: PreviewProps) {
  const client = useQueryClient()
  const { check, enter, refresh } = kinds[kind]
  const { data, error } = useQuery(
    queryOf(check, { body: { file } }, { meta: { ownErrors: true } }),
  )
  const importing = useOneMutation({
    mutationFn: () => call(enter, { body: { file } }),
    onSuccess: async (done) => {
      onDone(done)
      await refresh(client)
    },
  })
  if (error) return <Refused text={failureText(error)} />
  if (!data) return null
  if (data.refused !== null) return <Refused text={`This can’t be read: ${data.refused}.`} />
  const { lines, ignored, readAs } = data
  const fresh = lines.filter(({ fate }) => fate === 'new').length
  return (
    <>
      <p className={classes.lead} role="status">
        {summary(lines, kind)}{' '}
        <span className={classes.dim}>
          Read as {readAs}.
          {readAs.startsWith('Windows-1252') && ' Look whether letters with accents are right.'}
          {ignored.length > 0 && ` Not read: ${ignored.map((one) => `“${one}”`).join(', ')}.`}
        </span>
      </p>
      <PlainTable
        label="Lines"
        columns={columnsOf(kind)}
        rows={lines}
        rowKey={({ line }) => line}
        marksOf={({ fate }) => ({ 'data-out': fate !== 'new' || undefined })}
        cards
      />
      <DialogButtons
        act={`Import ${counted(fresh, kind)}`}
        onAct={() => importing.mutate()}
        onCancel={null}
        busy={importing.isPending}
        disabled={fresh === 0}
      />
    </>
  )
}

const columnsOf = (kind: Kind): PlainColumn<ImportLine>[] => [
  { header: 'Line', cell: ({ line }) => formatCount(line) },
  { header: 'Username', cell: ({ username }) => username },
  { header: kind === 'office' ? 'Office' : 'Name', cell: ({ name }) => name },
  ...(kind === 'agent'
    ? [{ header: 'Office', cell: ({ officeName }: ImportLine) => officeName }]
    : []),
  { header: 'Email', cell: ({ email }) => email },
  { header: 'What happens', cell: fateWords },
]

interface OutcomeProps {
  kind: Kind
  done: Imported
}

/** What an import did, with whoever is to be handed a link. */
function Outcome({ kind, done: { ids, mailed, toHandOver, existing, faulty } }: OutcomeProps) {
  const client = useQueryClient()
  const { refresh } = kinds[kind]
  const others = [
    mailed > 0 && `${formatCount(mailed)} ${mailed === 1 ? 'is' : 'are'} mailed an invitation.`,
    existing > 0 &&
      `${formatCount(existing)} existed, and ${existing === 1 ? 'was' : 'were'} skipped.`,
    faulty > 0 &&
      `${formatCount(faulty)} faulty ${faulty === 1 ? 'line was' : 'lines were'} left out: correct ${faulty === 1 ? 'it' : 'them'}, and import the file again.`,
  ].filter(Boolean)
  return (
    <>
      <Alert color="green" role="status" title={`${counted(ids.length, kind)} added`}>
        {others.join(' ')}
        {kind === 'agent' && ' They can sign in once they are approved.'}
      </Alert>
      {toHandOver.length > 0 && (
        <p className={classes.lead}>
          {toHandOver.length === 1 ? 'One has' : `${formatCount(toHandOver.length)} have`} no email
          address. Copy a link for each, here or later in the list’s menu, and hand it over
          yourself.
        </p>
      )}
      {toHandOver.length > 0 && (
        <PlainTable
          label="Links to hand over"
          columns={[
            { header: 'Username', cell: ({ username }) => username },
            {
              header: 'Invitation',
              cell: (whose) => (
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => void showInvitationLink({ kind, ...whose }, () => refresh(client))}
                >
                  Copy invitation link
                </Button>
              ),
            },
          ]}
          rows={toHandOver}
          rowKey={({ id }) => id}
        />
      )}
    </>
  )
}

const Refused = ({ text }: { text: string }) => (
  <Alert color="red" role="alert">
    {text}
  </Alert>
)
