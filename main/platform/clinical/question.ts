import { recentMessages, type ClinicalPrompt, type ConversationMessage } from '../../analysis/index.ts'

/**
 * The body of a chat completion: the prompt, and the student's words as the strings of one JSON object that
 * nothing inside them can end.
 */
export function question(prompt: ClinicalPrompt, message: string, recent: readonly ConversationMessage[]) {
  const { temperature, top_p, max_tokens, system } = prompt
  const said = recent.slice(-recentMessages).map(({ role, text }) => `{"role":${quote(role)},"text":${quote(text)}}`)
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: `{"recent":[${said.join(',')}],"message":${quote(message)}}` },
    ],
    temperature,
    top_p,
    max_tokens,
    stream: false,
    response_format: { type: 'json_object' },
  }
}

/**
 * A JSON string without the signs of which chat templates make their own marks (`<|im_end|>`, `[INST]`):
 * some servers read those wherever they stand.
 */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[<>[\]{}|]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
