import type { CommonLogItem } from '@tallyroom/contract/common-logs'
import { JsonBlock } from '../../ui/JsonBlock.tsx'
import classes from './common-logs.module.css'
import { paramsKey } from './opened-params.ts'

interface EntryParamsProps {
  entry: CommonLogItem
  opened: ReadonlySet<string>
}

/** What was expanded of an entry, below its row. */
export function EntryParams({ entry, opened }: EntryParamsProps) {
  return (
    <div className={classes.detail}>
      {opened.has(paramsKey(entry, 'postParams')) && (
        <JsonBlock caption="Post Params" text={entry.postParams} />
      )}
      {opened.has(paramsKey(entry, 'getParams')) && (
        <JsonBlock caption="Get Params" text={entry.getParams} />
      )}
    </div>
  )
}
