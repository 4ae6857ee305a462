/** A playbook whose steps load all that runs load late: writers of files, a program, a chart. */

export const everything = `playbook: 1
name: everything
account: main
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/t.xlsx, columns: { symbol: "{{ row.symbol }}", last: { value: "{{ row.lastPrice }}", type: decimal } } }
  - id: again
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/t.parquet, columns: { symbol: "{{ row.symbol }}" } }
  - id: program
    uses: shell/run
    with: { command: [node, -p, "1 + 1"] }
  - id: plain
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/t.csv, columns: { symbol: "{{ row.symbol }}", last: { value: "{{ row.lastPrice }}", type: decimal } } }
  - id: prices
    uses: report/table
    with:
      from: plain
      columns: { symbol: "{{ row.symbol }}", last: "{{ row.last }}" }
  - id: picture
    uses: report/chart
    with:
      from: prices
      spec: { mark: bar, encoding: { x: { field: symbol, type: nominal }, y: { field: last, type: quantitative } } }
  - id: page
    uses: report/page
    with:
      file: out/page.html
      title: Prices
      parts:
        - { text: "Some *text*" }
        - { chart: picture }
`;

export const everythingConfig =
  'profiles: { main: { target: sandbox, allow: { shell: [node] } } }\n';
