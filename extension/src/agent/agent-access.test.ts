import * as fc from 'fast-check';
import { AgentAccess, type AgentWishes } from './agent-access.ts';
import { TOOL_FACTS } from './tool-facts.ts';

const ALL = { toolsets: ['database', 'refactor', 'code', 'debug', 'ide'], disabledTools: [] };

function access(first: AgentWishes) {
  let wishes = first;
  const tools: string[] = [];
  const off = new Set<string>();
  let servers = 0;
  const agent = new AgentAccess({
    wishes: () => wishes,
    tools: TOOL_FACTS,
    registerTools: (some) => {
      tools.push(...some.map(({ name }) => name));
      return some.map(({ name }) => ({ dispose: () => void tools.splice(tools.indexOf(name), 1) }));
    },
    registerServer: () => {
      servers += 1;
      return {
        dispose: () => {
          servers -= 1;
        },
      };
    },
    tellOff: (tool, isOff) => (isOff ? off.add(tool) : off.delete(tool)),
  });
  const now = (next: AgentWishes) => {
    wishes = next;
    agent.update();
    return { tools: tools.toSorted(), servers, off: [...off].toSorted() };
  };
  return { agent, now };
}

const names = TOOL_FACTS.map(({ name }) => name).toSorted();

test("the editor's agent gets tools or a server or nothing, and follows changes", () => {
  const { agent, now } = access({ agent: 'off', trusted: true, selection: ALL });
  expect(now({ agent: 'tools', trusted: true, selection: ALL })).toEqual({ tools: names, servers: 0, off: [] });
  expect(now({ agent: 'mcp', trusted: true, selection: ALL })).toEqual({ tools: [], servers: 1, off: [] });
  expect(now({ agent: 'off', trusted: true, selection: ALL })).toEqual({ tools: [], servers: 0, off: [] });
  expect(now({ agent: 'mcp', trusted: true, selection: undefined }).servers).toBe(0);
  expect(now({ agent: 'tools', trusted: true, selection: undefined }).tools).toEqual([]);
  now({ agent: 'tools', trusted: true, selection: ALL });
  agent.dispose();
  expect(now({ agent: 'off', trusted: true, selection: ALL })).toEqual({ tools: [], servers: 0, off: [] });
});

test('an untrusted workspace has only read-only tools', () => {
  const { now } = access({ agent: 'tools', trusted: false, selection: ALL });
  const reading = TOOL_FACTS.filter(({ readOnly }) => readOnly).map(({ name }) => name);
  expect(now({ agent: 'tools', trusted: false, selection: ALL }).tools).toEqual(reading.toSorted());
  expect(now({ agent: 'tools', trusted: true, selection: ALL }).tools).toEqual(names);
});

test('after any changes in any order, the offer matches the last wishes, and never comes in two ways', () => {
  const wish = fc.record({
    agent: fc.constantFrom('tools' as const, 'mcp' as const, 'off' as const),
    trusted: fc.boolean(),
    selection: fc.option(fc.record({ toolsets: fc.subarray(ALL.toolsets), disabledTools: fc.subarray(names) }), {
      nil: undefined,
    }),
  });
  fc.assert(
    fc.property(fc.array(wish, { minLength: 1, maxLength: 6 }), (wishes) => {
      const [first, ...others] = wishes;
      if (first === undefined) return;
      const { now } = access(first);
      let state = now(first);
      for (const next of others) state = now(next);
      const last = wishes.at(-1) ?? first;
      const chosen = TOOL_FACTS.filter(
        ({ name, toolset }) =>
          // Looking back belongs to the debugger.
          last.selection?.toolsets.includes(toolset === 'trace' ? 'debug' : toolset) &&
          !last.selection.disabledTools.includes(name),
      );
      const wanted = chosen.filter(({ readOnly }) => last.trusted || readOnly);
      expect(state.tools).toEqual(last.agent === 'tools' ? wanted.map(({ name }) => name).toSorted() : []);
      expect(state.servers).toBe(last.agent === 'mcp' && last.selection !== undefined ? 1 : 0);
      if (last.selection !== undefined) expect(state.off).toHaveLength(TOOL_FACTS.length - chosen.length);
    }),
  );
});
