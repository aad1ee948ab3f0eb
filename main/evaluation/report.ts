/** The clinical reliability report for a school board: one printable page, no texts of students. */
import { thresholds, type ByThreshold } from './figures.ts'
import type { EvaluationReport } from './run.ts'

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const percent = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`)

function rowsOf(name: string, figures: ByThreshold): string {
  return thresholds
    .map((threshold) => {
      const { recall, recall_ci95, precision, fpr, ppv_at, tp, fn, fp, tn } = figures[threshold]
      const interval = recall_ci95 ? `${percent(recall_ci95[0])} to ${percent(recall_ci95[1])}` : '–'
      return `<tr><th scope="row">${escape(name)}</th><td>${threshold === 'crisis' ? 'crisis' : `${threshold} or above`}</td><td>${percent(recall)}</td><td>${interval}</td><td>${percent(precision)}</td><td>${percent(fpr)}</td><td>${percent(ppv_at['0.01'])}</td><td>${tp + fn}</td><td>${fp + tn}</td></tr>`
    })
    .join('\n')
}

/** HTML of the report; `source` names the data, `versions` the detection files behind the figures. */
export function htmlReport(
  report: EvaluationReport,
  source: string,
  versions: readonly { file: string; version: string }[],
): string {
  const names = Object.keys(report.slices).sort()
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Clinical reliability report</title>
<style>
  body { font: 11pt/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a }
  table { border-collapse: collapse; width: 100%; font-size: 9.5pt } th, td { border: 1px solid #999; padding: .3rem .5rem; text-align: left }
  thead th { background: #eee } @media print { body { margin: 0 } tr { break-inside: avoid } }
</style></head>
<body>
<h1>Clinical reliability report</h1>
<p>PsyFlo Console, detection of risk in students’ messages. Data: ${escape(source)}, ${report.n} labelled messages.</p>
<h2>How to read this</h2>
<ul>
<li><strong>Recall</strong>: of the messages that should have been flagged, how many were. What is missing from 100 % was missed.</li>
<li><strong>False alarms</strong>: of the messages that should not have been flagged, how many were.</li>
<li><strong>PPV at 1 %</strong>: if one message in a hundred is truly at risk, how many flagged messages are.</li>
<li>Tiers: <em>caution</em> is listed for watching, <em>high</em> and <em>crisis</em> call a person.</li>
</ul>
<h2>Figures</h2>
<table>
<thead><tr><th>Set</th><th>Decision</th><th>Recall</th><th>95 % interval</th><th>Precision here</th><th>False alarms</th><th>PPV at 1 %</th><th>Positives</th><th>Negatives</th></tr></thead>
<tbody>
${rowsOf('All', report.thresholds)}
${names.map((name) => rowsOf(name, report.slices[name]!)).join('\n')}
</tbody></table>
<p>Time per message: median ${report.latency_ms.p50} ms, 95th percentile ${report.latency_ms.p95} ms.</p>
<h2>What this does not show</h2>
<p>Labelled text is not a school: people who write on line, and sentences written for a test, differ from students in a chat.
A tier of “ok” means that nothing was seen. It never means that a student is safe, and no figure here replaces a person’s judgement.</p>
<h2>Versions</h2>
<p>${versions.map(({ file, version }) => `${escape(file)} ${escape(version)}`).join(' · ')}</p>
</body></html>
`
}
