import { IpLinesForm } from './IpLinesForm.tsx'
import { addLines, deleteLines } from './work-through.ts'

export const AddIpsPage = () => <IpLinesForm work={addLines} doing="Adding" />

export const DeleteIpsPage = () => <IpLinesForm work={deleteLines} doing="Deleting" leadsBack />
